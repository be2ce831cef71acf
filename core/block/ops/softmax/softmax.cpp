#include <algorithm>
#include <cmath>

#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    if (in[0].empty()) return shapeError("softmax needs at least one dimension", in);
    return in[0];
}

/// A row whose every element is -inf (fully masked) gives zeros, not 0/0.
void softmaxRow(double* x, std::size_t n) {
    double highest = -INFINITY;
    bool nan = false;
    for (std::size_t i = 0; i < n; ++i) {
        nan = nan || std::isnan(x[i]);
        highest = std::max(highest, x[i]);
    }
    if (!nan && highest == -INFINITY) return std::fill(x, x + n, 0.0);
    CompensatedSum sum;
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = std::exp(x[i] - highest);
        sum.add(x[i]);
    }
    for (std::size_t i = 0; i < n; ++i) x[i] /= sum.value();
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress& progress) {
    return eachRow(in[0], progress, softmaxRow);
}

} // namespace

const OpDef& softmax() {
    static const OpDef def{OpKind::softmax,
                           "softmax",
                           "Each row as shares of its sum of exponentials, shifted by the row's maximum",
                           1,
                           1,
                           {},
                           {.longSum = true},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
