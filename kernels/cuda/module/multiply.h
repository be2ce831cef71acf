#pragma once
#include "cuda/kernel_types.h"
#include "cuda/module/queue.h"
#include "cuda/module/slots.h"
#include "numerics/tensor_core_spec.h"

namespace divdet::cuda {

class LibraryGemm;

/// What one product runs on and by.
struct ProductContext {
    const Queue& queue;
    const Slots& slots;
    numerics::Arch arch;        ///< of the running device
    const LibraryGemm* library; ///< null: own kernels
};

/// Throws DIVDET_UNSUPPORTED for slots that have no arithmetic on this architecture.
void checkProduct(const Slots& slots, numerics::Arch arch);

/// Whether the library multiplies so: published order, native accumulator, nothing broken on purpose.
bool libraryCan(const Slots& slots);

/// c = start + a b for one product in fp32 operands (a [m, k], b [k, n], dense), computed as the slots say;
/// the device's side of host/twin_multiply.h, where each value's meaning is tested against plain loops. Under
/// a scale (int8, fp8) the start joins after scaling, in the same fma.
void multiply(const ProductContext& on, GemmShape shape, const float* a, const float* b, StartValues start,
              float* c);

} // namespace divdet::cuda
