#include "block/op_def.h"
#include "block/ops/layout.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes& attributes) {
    auto layout = splitHeadsLayout(in[0], attributes);
    if (!layout) return layout.error();
    return std::move(layout->shape);
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes& attributes, const Progress&) {
    const auto layout = splitHeadsLayout(in[0].shape(), attributes);
    return moved64(in[0], *layout, layout->shape);
}

} // namespace

const OpDef& split_heads() {
    static const OpDef def{
        OpKind::split_heads,
        "split_heads",
        "Each row cut into heads, heads first; with windows, each of them by itself",
        1,
        1,
        {AttributeSpec{"heads", AttributeType::integer}, AttributeSpec{"window", AttributeType::integer}},
        {},
        shape,
        reference64};
    return def;
}

} // namespace divdet::block::ops
