#pragma once
#include <optional>
#include <span>

#include "judge/envelope/envelope.h"
#include "tensor/float_format.h"

/// How mean and variance go through the ops (numerics of the pass-through: first order, with the second order
/// of the activations).
namespace divdet::envelope {

/// Adds the rounding to a storage dtype; nothing for values that are exact in it.
void roundTo(DType storage, Field& f);
inline double ulpOf(double x, DType dtype) {
    return floatFormat(dtype).ulp(x);
}
Field filled(Field f); ///< with a variance for every element, 0 where it is certain

/// An op with its inputs' fields and shapes.
struct OpCall {
    const lower::LoweredOp& op;
    std::span<const Field* const> inputs;
    std::span<const Shape> shapes;
    numerics::Arch arch;
    const Progress& progress;
};

/// Each gives the field before it is rounded to the storage dtype.
Result<Field> productField(const OpCall& call); ///< with bias, residual and the steps fused behind it
Field rmsNormField(const OpCall& call);
Field layerNormField(const OpCall& call);
Field softmaxField(const OpCall& call);
Field sumField(const OpCall& call); ///< reduce_sum
Result<Field> scatterField(const OpCall& call);

/// One pointwise step in place; `operand` may be null. False: there is no rule.
bool pointwiseField(block::OpKind kind, const block::Attributes& attributes, const lower::Slots& slots,
                    const Shape& shape, const Field* operand, Field& f);

} // namespace divdet::envelope
