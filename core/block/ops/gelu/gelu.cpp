#include <cmath>
#include <numbers>

#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    return in[0];
}

/// x·Φ(x); erfc keeps its digits for negative x, where 1 + erf would cancel.
Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress&) {
    auto x = doubles(in[0]);
    for (double& v : x) v = std::isinf(v) && v < 0 ? -0.0 : v * 0.5 * std::erfc(-v / std::numbers::sqrt2);
    return tensorOfDoubles(in[0].shape(), x);
}

} // namespace

const OpDef& gelu() {
    static const OpDef def{OpKind::gelu,
                           "gelu",
                           "x times the normal distribution function of x, by erf",
                           1,
                           1,
                           {},
                           {.pointwise = true},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
