#include "block/ops/matmul/product_shape.h"

#include <algorithm>

#include "block/ops/support.h"

namespace divdet::block::ops {

Result<ProductShape> productShape(std::span<const Shape> in) {
    const Shape &a = in[0], &b = in[1];
    if (a.size() < 2 || b.size() < 2) return shapeError("matmul needs two matrices", in.first(2));
    const std::int64_t k = a.back(), n = b.back();
    if (b[b.size() - 2] != k) return shapeError("inner sizes of matmul differ", in.first(2));
    if (in.size() == 3 && in[2] != Shape{n})
        return shapeError("the bias needs one number per output column", in);
    if (b.size() == 2) return ProductShape{1, static_cast<std::int64_t>(rowCount(a)), k, n};
    if (a.size() != b.size() || !std::equal(a.begin(), a.end() - 2, b.begin()))
        return shapeError("a batch of products needs equal leading dimensions", in.first(2));
    ProductShape s{1, a[a.size() - 2], k, n};
    for (std::size_t d = 0; d + 2 < a.size(); ++d) s.batch *= a[d];
    return s;
}

} // namespace divdet::block::ops
