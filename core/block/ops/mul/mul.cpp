#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

/// x · y; y may be the end of x's shape (a gain, one number per column) and repeats.
Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    return broadcastShape("mul", in);
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress&) {
    return combined(in[0], in[1], [](double a, double b) { return a * b; });
}

} // namespace

const OpDef& mul() {
    static const OpDef def{
        OpKind::mul, "mul",      "Product of two tensors, element by element", 2, 2, {}, {.pointwise = true},
        shape,       reference64};
    return def;
}

} // namespace divdet::block::ops
