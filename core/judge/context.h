#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "judge/declared.h"
#include "tensor/tensor.h"

namespace divdet {

/// What the user knows of the operator that made the taps (`--context`, a JSON object). Every member may be
/// unknown.
struct OperatorContext {
    std::string op;                ///< kind: matmul, softmax, layernorm, cumsum, attention, …; lower case
    std::optional<std::int64_t> k; ///< length of the reduction; at least 1
    std::optional<double> eps;     ///< of a norm
    std::optional<std::int64_t> window;    ///< keys that a query sees
    std::optional<double> factor;          ///< of a resize
    std::vector<std::string> operands;     ///< names of inputs, in the order of the product
    std::optional<double> poison;          ///< buffers were filled with this before the run (it may be NaN)
    std::optional<std::int64_t> tokenAxis; ///< along it a sequence is generated: what follows depends on it
    std::vector<std::string> unknown;      ///< keys that no finding looks at

    /// Whether the kind is one of these, or begins with one of them (`layernorm2` is a layernorm).
    bool opIs(std::initializer_list<std::string_view> kinds) const;
};

/// Errors: malformed with the offset of bad JSON; usage for a text that is no object, and for a member of
/// another type than above.
Result<OperatorContext> parseOperatorContext(const std::string& json);

/// What is known of a pair beside its two tensors.
struct JudgeContext {
    Declared declared;
    OperatorContext op;
    std::vector<std::string> axes; ///< names, outermost first; empty: none were given
    std::string role;              ///< of this tap: input, param, grad …; empty: unknown
    std::vector<std::pair<std::string, Tensor>> inputs; ///< of the operator, as the reference read them
    std::vector<Tensor> runs;       ///< this tap in further runs of the candidate, of the pair's shape
    std::optional<TensorView> fp64; ///< the reference in double

    /// `axis 2 (position)`, or `axis 2` where no names were given for a tensor of this many axes.
    std::string axisName(std::size_t axis, std::size_t rank) const;
    /// The operands of a product y[…, M, N] = a[…, M, K] · b[K, N]: those named by the context, else the
    /// first two inputs that fit. None when they are not there or do not fit `result`.
    std::optional<std::pair<TensorView, TensorView>> product(const Shape& result) const;
};

} // namespace divdet
