#include <cmath>

#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

/// x [.., n], gain [n] (, bias [n]): (x - mean) / sqrt(variance + eps) · gain + bias along the last
/// dimension.
Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    if (in[0].empty()) return shapeError("layernorm needs at least one dimension", in);
    for (std::size_t i = 1; i < in.size(); ++i)
        if (in[i] != Shape{in[0].back()}) return shapeError("gain and bias need one number per column", in);
    return in[0];
}

/// Two passes: the mean first, then the squares of what is left.
Result<Tensor> reference64(std::span<const Tensor> in, const Attributes& attributes,
                           const Progress& progress) {
    const auto gain = doubles(in[1]);
    const auto bias = in.size() == 3 ? doubles(in[2]) : std::vector<double>(gain.size());
    const double eps = numberOr(attributes, "eps", 0);
    return eachRow(in[0], progress, [&](double* x, std::size_t n) {
        CompensatedSum sum, squares;
        for (std::size_t i = 0; i < n; ++i) sum.add(x[i]);
        const double mean = sum.value() / static_cast<double>(n);
        for (std::size_t i = 0; i < n; ++i) squares.add((x[i] - mean) * (x[i] - mean));
        const double root = std::sqrt(squares.value() / static_cast<double>(n) + eps);
        for (std::size_t i = 0; i < n; ++i) x[i] = (x[i] - mean) / root * gain[i] + bias[i];
    });
}

} // namespace

const OpDef& layernorm() {
    static const OpDef def{
        OpKind::layernorm,
        "layernorm",
        "Each row minus its mean, divided by its standard deviation, times a gain, plus a bias",
        2,
        3,
        {AttributeSpec{"eps"}},
        {.longSum = true},
        shape,
        reference64};
    return def;
}

} // namespace divdet::block::ops
