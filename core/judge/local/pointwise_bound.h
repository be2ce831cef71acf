#pragma once
#include <span>

#include "block/attributes.h"
#include "block/op_def.h"
#include "lower/slots.h"
#include "tensor/shape.h"

namespace divdet::local {

/// One pointwise op on values that are known to within `bound`: both are replaced by those of the result.
/// `operand` (empty for ops of one input) repeats along the values. `rounds`: the result is rounded to fp32
/// and used further; without it that rounding is the one to the storage dtype, which the caller accounts for.
/// False: there is no bound for the op.
bool pointwiseBound(block::OpKind kind, const block::Attributes& attributes, const lower::Slots& slots,
                    const Shape& shape, std::span<const double> operand, bool rounds,
                    std::span<double> values, std::span<double> bound);

} // namespace divdet::local
