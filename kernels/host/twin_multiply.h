#pragma once
#include "base/result.h"
#include "host/gemm.h"
#include "lower/slots.h"
#include "numerics/partials.h"
#include "numerics/tensor_core_spec.h"

namespace divdet::host::twin {

/// c = start + a b for one product in fp32 operands, computed as the slots say: operand precision and scales,
/// accumulator, order and dtype of partial sums, dropped tail, missing barrier. Under a scale (int8, fp8) the
/// start joins after scaling, in the same fma. Error: unsupported for slots without an arithmetic.
Status multiply(const lower::Slots& slots, numerics::Arch arch, GemmShape shape, const float* a,
                const float* b, Start start, float* c);

/// Sums of rows of k values by the same slots (operands apart); `published` is the order unless a slot says
/// otherwise.
Status sumBySlots(const lower::Slots& slots, const float* x, std::size_t rows, std::size_t k,
                  numerics::Order published, float* sums);

} // namespace divdet::host::twin
