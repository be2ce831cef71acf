#include "block/op_def.h"
#include "block/ops/conv2d/conv_geometry.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

Result<Shape> shape(std::span<const Shape> in, const Attributes& attributes) {
    const auto g = convGeometry(in, attributes);
    if (!g) return g.error();
    return Shape{g->n, g->o, g->outH, g->outW};
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes& attributes,
                           const Progress& progress) {
    const Shape shapes[] = {in[0].shape(), in[1].shape()};
    const ConvGeometry g = *convGeometry(shapes, attributes);
    const auto x = doubles(in[0]), weight = doubles(in[1]);
    const auto bias = in.size() == 3 ? doubles(in[2]) : std::vector<double>(static_cast<std::size_t>(g.o));
    TensorBuilder out(DType::f64, {g.n, g.o, g.outH, g.outW});
    double* y = out.as<double>().data();
    for (std::int64_t image = 0; image < g.n; ++image)
        for (std::int64_t o = 0; o < g.o; ++o) {
            if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
            const std::int64_t channel = o / (g.o / g.groups) * (g.c / g.groups);
            const double* group = x.data() + (image * g.c + channel) * g.h * g.w;
            const double* w = weight.data() + o * g.terms();
            for (std::int64_t place = 0; place < g.places(); ++place) {
                double sum = bias[static_cast<std::size_t>(o)];
                for (std::int64_t t = 0; t < g.terms(); ++t)
                    if (const auto at = g.source(place, t); at >= 0) sum += group[at] * w[t];
                *y++ = sum;
            }
        }
    return std::move(out).finish();
}

std::vector<AttributeSpec> attributeSpecs() {
    std::vector<AttributeSpec> all;
    for (const char* name : {"stride_y", "stride_x", "dilation_y", "dilation_x", "groups", "pad_top",
                             "pad_left", "pad_bottom", "pad_right"})
        all.push_back({name, AttributeType::integer});
    return all;
}

} // namespace

const OpDef& conv2d() {
    static const OpDef def{OpKind::conv2d,
                           "conv2d",
                           "Each output channel is a sum of products of a window and its weights",
                           2,
                           3,
                           attributeSpecs(),
                           {.matrixProduct = true, .longSum = true},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
