#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "tensor/tensor.h"

namespace divdet {

/// Calls f(pointer, stride, count, outIndex) for each run of elements along the last dimension that covers
/// [first, first + count) in row-major order. A contiguous view is one run.
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
        const std::int64_t at = first + done;
        const Index pos = unravel(at, v.shape);
        const std::byte* p = v.data;
        for (std::size_t d = 0; d < rank; ++d) p += pos[d] * v.strides[d];
        const std::int64_t n = std::min(count - done, inner - pos[rank - 1]);
        f(p, v.strides[rank - 1], n, done);
        done += n;
    }
}

} // namespace divdet
