#include "block/op_def.h"
#include "block/ops/quantized.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes& attributes) {
    if (auto layout = quantizedLayout("dequantize", in, attributes); !layout) return layout.error();
    return in[0];
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes& attributes, const Progress&) {
    const Shape shapes[] = {in[0].shape(), in[1].shape()};
    const auto layout = *quantizedLayout("dequantize", shapes, attributes);
    auto x = doubles(in[0]);
    const auto scale = doubles(in[1]);
    const auto zero = in.size() == 3 ? doubles(in[2]) : std::vector<double>(scale.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t c = layout.channel(i);
        x[i] = (x[i] - zero[c]) * scale[c];
    }
    return tensorOfDoubles(in[0].shape(), x);
}

} // namespace

const OpDef& dequantize() {
    static const OpDef def{OpKind::dequantize,
                           "dequantize",
                           "Codes back to numbers: (code minus zero point) times scale",
                           2,
                           3,
                           {AttributeSpec{"axis", AttributeType::integer}},
                           {},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
