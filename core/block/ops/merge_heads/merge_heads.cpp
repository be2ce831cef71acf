#include "block/op_def.h"
#include "block/ops/layout.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    auto layout = mergeHeadsLayout(in[0]);
    if (!layout) return layout.error();
    return mergedShape(*layout);
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress&) {
    const auto layout = mergeHeadsLayout(in[0].shape());
    return moved64(in[0], *layout, mergedShape(*layout));
}

} // namespace

const OpDef& merge_heads() {
    static const OpDef def{
        OpKind::merge_heads, "merge_heads", "The heads of each token side by side again", 1, 1, {}, {}, shape,
        reference64};
    return def;
}

} // namespace divdet::block::ops
