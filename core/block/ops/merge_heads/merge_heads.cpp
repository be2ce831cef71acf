#include <algorithm>

#include "block/op_def.h"
#include "block/ops/layout.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    auto layout = mergeHeadsLayout(in[0]);
    if (!layout) return layout.error();
    return mergedShape(*layout);
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress&) {
    const auto x = doubles(in[0]);
    const auto layout = mergeHeadsLayout(in[0].shape());
    TensorBuilder out(DType::f64, mergedShape(*layout));
    const auto y = out.as<double>();
    forEachRun(*layout,
               [&](std::size_t to, std::size_t from, std::size_t n) { std::copy_n(&x[from], n, &y[to]); });
    return std::move(out).finish();
}

} // namespace

const OpDef& merge_heads() {
    static const OpDef def{
        OpKind::merge_heads, "merge_heads", "The heads of each token side by side again", 1, 1, {}, {}, shape,
        reference64};
    return def;
}

} // namespace divdet::block::ops
