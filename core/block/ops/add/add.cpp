#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

/// x + y; y may be the end of x's shape (a bias, one number per column) and repeats.
Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    return broadcastShape("add", in);
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress&) {
    return combined(in[0], in[1], [](double a, double b) { return a + b; });
}

} // namespace

const OpDef& add() {
    static const OpDef def{
        OpKind::add, "add",      "Sum of two tensors, element by element", 2, 2, {}, {.pointwise = true},
        shape,       reference64};
    return def;
}

} // namespace divdet::block::ops
