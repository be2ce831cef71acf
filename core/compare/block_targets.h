#pragma once

// Included before Highway by the block kernels: scalable vectors are left out because the kernels keep
// vectors in arrays of fixed size.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
