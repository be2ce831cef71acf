#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tensor/tensor.h"

namespace divdet {

/// Calls f(pointer, stride, count, outIndex) for each run of elements along the last dimension that covers
/// [first, first + count) in row-major order. A contiguous view is one run. Allocates nothing, so that it can
/// stand inside a guard for mapped memory.
template <class F>
void walkRuns(const TensorView& v, std::int64_t first, std::int64_t count, F&& f) {
    const auto item = static_cast<std::int64_t>(itemSize(v.dtype));
    if (count <= 0) return;
    if (v.packed()) {
        f(v.data + first * item, item, count, std::int64_t{0});
        return;
    }
    const std::size_t rank = v.shape.size(); // a rank-0 view is always contiguous
    const std::int64_t inner = v.shape[rank - 1];
    std::int64_t done = 0;
    while (done < count) {
        std::int64_t rest = (first + done) / inner;
        const std::int64_t column = (first + done) % inner;
        const std::byte* p = v.data + column * v.strides[rank - 1];
        for (std::size_t d = rank - 1; d-- > 0; rest /= v.shape[d]) p += rest % v.shape[d] * v.strides[d];
        const std::int64_t n = std::min(count - done, inner - column);
        f(p, v.strides[rank - 1], n, done);
        done += n;
    }
}

} // namespace divdet
