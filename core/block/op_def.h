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
    bool matrixProduct = false; ///< sums of products of input 0 (an activation) and input 1 (mostly a weight)
    bool longSum = false;       ///< adds along a dimension, so the order of additions is a choice
    bool plainSum = false;      ///< a long sum of the inputs themselves, with one accumulator per output
    bool pointwise = false;     ///< each output element needs its place and the input elements there
    int indexInput = -1;        ///< the input that holds row numbers, which no storage dtype may round
};

enum class AttributeType : std::uint8_t { integer, number, text };

/// An attribute that an op understands. Integers and numbers may also name a dimension of the graph; bind()
/// puts its value there.
struct AttributeSpec {
    std::string_view name;
    AttributeType type = AttributeType::number;
};

/// All that an op is, apart from where it runs.
struct OpDef {
    OpKind kind;
    std::string_view name;
    std::string_view sentence; ///< plain words for help and reports
    std::size_t minInputs, maxInputs;
    std::vector<AttributeSpec> attributes;
    OpTraits traits;

    /// Output shape; errors say which input is wrong and why. The number of inputs is already checked.
    /// Attributes are numbers by now.
    Result<Shape> (*shape)(std::span<const Shape> inputs, const Attributes& attributes);

    /// The op in fp64 on operands of any real dtype, widened exactly. Shapes are already checked. Error:
    /// mismatch for an index outside its table.
    Result<Tensor> (*reference64)(std::span<const Tensor> inputs, const Attributes& attributes,
                                  const Progress& progress);
};

const OpDef& opDef(OpKind kind);
std::string_view name(OpKind kind);
std::optional<OpKind> parseOpKind(std::string_view text);
std::vector<OpKind> allOps();

/// nullptr when the op has no attribute of this name.
const AttributeSpec* findAttribute(const OpDef& def, std::string_view attribute);

} // namespace divdet::block
