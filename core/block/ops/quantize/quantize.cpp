#include <algorithm>
#include <cmath>

#include "block/op_def.h"
#include "block/ops/quantized.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes& attributes) {
    if (auto layout = quantizedLayout("quantize", in, attributes); !layout) return layout.error();
    const CodeRange range = codeRange(attributes);
    constexpr std::int64_t kLargest = 1 << 16; // codes are exact in fp32 and far from the end of rint's range
    if (range.low > range.high || range.low < -kLargest || range.high > kLargest)
        return Error{ErrorCode::mismatch, "the codes of quantize have no range", "",
                     "give low and high within -65536 and 65536"};
    return in[0];
}

/// clamp(rint(x / scale) + zero, low, high); NaN becomes the zero point.
Result<Tensor> reference64(std::span<const Tensor> in, const Attributes& attributes, const Progress&) {
    const Shape shapes[] = {in[0].shape(), in[1].shape()};
    const auto layout = *quantizedLayout("quantize", shapes, attributes);
    const CodeRange range = codeRange(attributes);
    auto x = doubles(in[0]);
    const auto scale = doubles(in[1]);
    const auto zero = in.size() == 3 ? doubles(in[2]) : std::vector<double>(scale.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t c = layout.channel(i);
        const double q = std::rint(x[i] / scale[c]);
        x[i] = std::clamp((std::isnan(q) ? 0 : q) + zero[c], static_cast<double>(range.low),
                          static_cast<double>(range.high));
    }
    return tensorOfDoubles(in[0].shape(), x);
}

} // namespace

const OpDef& quantize() {
    static const OpDef def{OpKind::quantize,
                           "quantize",
                           "The nearest whole number of scale steps, within the range of the code",
                           2,
                           3,
                           {AttributeSpec{"axis", AttributeType::integer},
                            AttributeSpec{"low", AttributeType::integer},
                            AttributeSpec{"high", AttributeType::integer}},
                           {},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
