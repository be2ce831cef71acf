#pragma once
#include "block/attributes.h"
#include "block/op_def.h"
#include "host/twin_values.h"
#include "lower/slots.h"
#include "tensor/shape.h"

namespace divdet::host::twin {

/// What a pointwise op (traits.pointwise) is, alone or as a step behind a product.
struct PointwiseOp {
    block::OpKind kind;
    const block::Attributes& attributes;
    const lower::Slots& slots;
};

/// The op on values of `shape`; `operand` is the second input of ops that have one, null otherwise, and
/// repeats when it is shorter. `out` may be `in`. false: this twin has no such op.
bool pointwise(const PointwiseOp& op, const Shape& shape, const float* in, const Floats* operand, float* out);

} // namespace divdet::host::twin
