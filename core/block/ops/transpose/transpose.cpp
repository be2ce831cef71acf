#include "block/op_def.h"
#include "block/ops/layout.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes& attributes) {
    auto layout = transposeLayout(in[0], attributes);
    if (!layout) return layout.error();
    return std::move(layout->shape);
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes& attributes, const Progress&) {
    const auto layout = transposeLayout(in[0].shape(), attributes);
    return moved64(in[0], *layout, layout->shape);
}

} // namespace

const OpDef& transpose() {
    static const OpDef def{OpKind::transpose,
                           "transpose",
                           "The same elements with dimensions in another order",
                           1,
                           1,
                           {AttributeSpec{"perm", AttributeType::text}},
                           {},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
