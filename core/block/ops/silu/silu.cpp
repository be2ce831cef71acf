#include <cmath>

#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    return in[0];
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress&) {
    return mapped(in[0], [](double x) { return std::isinf(x) && x < 0 ? -0.0 : x / (1 + std::exp(-x)); });
}

} // namespace

const OpDef& silu() {
    static const OpDef def{
        OpKind::silu, "silu",     "x times the logistic function of x", 1, 1, {}, {.pointwise = true},
        shape,        reference64};
    return def;
}

} // namespace divdet::block::ops
