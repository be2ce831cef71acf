#pragma once
#include <cstdint>
#include <functional>

#include "base/progress.h"
#include "base/result.h"

namespace divdet::rules {

/// Fills elements [first, first + count) as floats, count <= 4096. Called from several threads.
using LoadFloats = std::function<void(std::int64_t first, int count, float* out)>;

/// numpy.mean of a contiguous array with dtype float32, in numpy's order of summation: eight running sums up
/// to 128 elements, above that halves, the first one a multiple of eight. `buffered`: the array is of another
/// type, which numpy converts in buffers of 8192 elements whose sums it adds one after another.
/// NaN for no element. Source: numpy/_core/src/umath/loops_utils.h.src.
Result<float> pairwiseMean(std::int64_t elements, bool buffered, const LoadFloats& load,
                           const Progress& progress);

} // namespace divdet::rules
