#include <cmath>

#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

/// x [rows, n], gain [n]: x · gain / sqrt(mean(x²) + eps) along the last dimension.
Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    if (in[0].size() != 2) return shapeError("rmsnorm needs a matrix", in);
    if (in[1] != Shape{in[0][1]}) return shapeError("the gain needs one number per column", in);
    return in[0];
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes& attributes,
                           const Progress& progress) {
    auto x = doubles(in[0]);
    const auto gain = doubles(in[1]);
    const double eps = numberOr(attributes, "eps", 0);
    const std::size_t n = gain.size();
    for (std::size_t row = 0; n && row + n <= x.size(); row += n) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        CompensatedSum squares;
        for (std::size_t i = 0; i < n; ++i) squares.add(x[row + i] * x[row + i]);
        const double root = std::sqrt(squares.value() / static_cast<double>(n) + eps);
        for (std::size_t i = 0; i < n; ++i) x[row + i] = x[row + i] / root * gain[i];
    }
    return tensorOfDoubles(in[0].shape(), x);
}

} // namespace

const OpDef& rmsnorm() {
    static const OpDef def{OpKind::rmsnorm,
                           "rmsnorm",
                           "Each row divided by the root of its mean square, times a gain",
                           2,
                           2,
                           {"eps"},
                           {.longSum = true},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
