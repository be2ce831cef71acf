#pragma once

// Included before Highway by every file with SIMD code. A bit-equal chain needs a fused multiply-add, so the
// x86 sets below AVX2 are left out (the emulated baseline calls std::fma per lane); scalable vectors are left
// out because the kernels keep tiles of vectors in arrays.
#define HWY_DISABLED_TARGETS                                                                                 \
    (HWY_SSSE3 | HWY_SSE4 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
