#include <cmath>

#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

/// x [.., n], gain [n]: x · gain / sqrt(mean(x²) + eps) along the last dimension.
Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    if (in[0].empty()) return shapeError("rmsnorm needs at least one dimension", in);
    if (in[1] != Shape{in[0].back()}) return shapeError("the gain needs one number per column", in);
    return in[0];
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes& attributes,
                           const Progress& progress) {
    const auto gain = doubles(in[1]);
    const double eps = numberOr(attributes, "eps", 0);
    return eachRow(in[0], progress, [&](double* x, std::size_t n) {
        CompensatedSum squares;
        for (std::size_t i = 0; i < n; ++i) squares.add(x[i] * x[i]);
        const double root = std::sqrt(squares.value() / static_cast<double>(n) + eps);
        for (std::size_t i = 0; i < n; ++i) x[i] = x[i] / root * gain[i];
    });
}

} // namespace

const OpDef& rmsnorm() {
    static const OpDef def{OpKind::rmsnorm,
                           "rmsnorm",
                           "Each row divided by the root of its mean square, times a gain",
                           2,
                           2,
                           {AttributeSpec{"eps"}},
                           {.longSum = true},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
