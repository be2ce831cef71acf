#pragma once
#include <cstdint>

#include "numerics/tensor_core_spec.h"

/// Tensor-core instructions of a warp, answered by the step model of numerics/tensor_core.h with the spec of
/// the current device. Which element sits in which register follows the tables of the PTX manual for each
/// type, not the summary in kernels/cuda/mma.cuh, so that a mistake there shows.
namespace cuda_on_cpu {

/// m16n8k16 (f16, bf16), m16n8k8 (tf32), m16n8k32 (fp8) with fp32 accumulators.
void mma(divdet::numerics::OperandFormat format, float (&c)[4], const std::uint32_t (&a)[4],
         const std::uint32_t (&b)[2]);
/// m16n8k16, f16 operands and accumulators.
void mmaF16(std::uint32_t (&c)[2], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]);
/// m16n8k32, s8 operands, s32 accumulators that wrap.
void mmaInt8(std::int32_t (&c)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2]);

} // namespace cuda_on_cpu
