#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    if (in[0] != in[1]) return shapeError("add needs two equal shapes", in);
    return in[0];
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress&) {
    auto a = doubles(in[0]);
    const auto b = doubles(in[1]);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return tensorOfDoubles(in[0].shape(), a);
}

} // namespace

const OpDef& add() {
    static const OpDef def{
        OpKind::add, "add",      "Sum of two tensors, element by element", 2, 2, {}, {.pointwise = true},
        shape,       reference64};
    return def;
}

} // namespace divdet::block::ops
