#include <cmath>

#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    return in[0];
}

/// NaN stays NaN, both zeros become +0.
Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress&) {
    return mapped(in[0], [](double x) { return x > 0 || std::isnan(x) ? x : 0.0; });
}

} // namespace

const OpDef& relu() {
    static const OpDef def{
        OpKind::relu, "relu",     "x where it is positive, else 0", 1, 1, {}, {.pointwise = true},
        shape,        reference64};
    return def;
}

} // namespace divdet::block::ops
