#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "block/attributes.h"
#include "tensor/tensor.h"

namespace divdet::block {

enum class OpKind : std::uint8_t {
#define DIVDET_OP(id) id,
#include "block/ops/ops.def"
#undef DIVDET_OP
};

/// What passes need to know of an op to say whether they fit it.
struct OpTraits {
    bool matrixProduct = false; ///< sums of products of an activation (input 0) and a weight (input 1)
    bool longSum = false;       ///< adds along a dimension, so the order of additions is a choice
    bool pointwise = false;     ///< each output element needs only the input elements at its place
};

/// All that an op is, apart from where it runs.
struct OpDef {
    OpKind kind;
    std::string_view name;
    std::string_view sentence; ///< plain words for help and reports
    std::size_t minInputs, maxInputs;
    std::vector<std::string_view> attributes; ///< names it understands
    OpTraits traits;

    /// Output shape; errors say which input is wrong and why. The number of inputs is already checked.
    Result<Shape> (*shape)(std::span<const Shape> inputs, const Attributes& attributes);

    /// The op in fp64 on operands of any real dtype, widened exactly. Shapes are already checked.
    Result<Tensor> (*reference64)(std::span<const Tensor> inputs, const Attributes& attributes,
                                  const Progress& progress);
};

const OpDef& opDef(OpKind kind);
std::string_view name(OpKind kind);
std::optional<OpKind> parseOpKind(std::string_view text);
std::vector<OpKind> allOps();

} // namespace divdet::block
