#pragma once
#include "base/result.h"
#include "host/gemm.h"
#include "host/twin_ops.h"
#include "lower/slots.h"
#include "numerics/tensor_core_spec.h"

namespace divdet::host::twin {

/// c = start + a b in fp32 operands: c begins as the start, and racing threads add the chunks of k to it,
/// each multiplied as the slots' operand precision says. Error: unsupported for whole-number or scaled
/// operands, narrow accumulators and partial sums, and half-written tiles: there is no atomic addition of
/// them here.
Status raceProduct(const lower::Slots& slots, numerics::Arch arch, GemmShape shape, const float* a,
                   const float* b, Start start, float* c, const Race& race);

} // namespace divdet::host::twin
