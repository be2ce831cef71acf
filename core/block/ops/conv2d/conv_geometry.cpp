#include "block/ops/conv2d/conv_geometry.h"

#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

constexpr std::int64_t kLargest = 1 << 20; ///< of a stride, dilation or padding; keeps products in 63 bits

/// Output extent along one axis; 0 when the kernel does not fit.
std::int64_t placesAlong(std::int64_t size, std::int64_t pads, std::int64_t kernel, std::int64_t dilation,
                         std::int64_t stride) {
    const std::int64_t room = size + pads - (dilation * (kernel - 1) + 1);
    return room < 0 ? 0 : room / stride + 1;
}

bool within(std::initializer_list<std::int64_t> values, std::int64_t least) {
    for (std::int64_t v : values)
        if (v < least || v > kLargest) return false;
    return true;
}

} // namespace

Result<ConvGeometry> convGeometry(std::span<const Shape> in, const Attributes& attributes) {
    if (in[0].size() != 4 || in[1].size() != 4)
        return shapeError("conv2d needs images [n, c, h, w] and weights [o, c, h, w]", in);
    const auto get = [&](const char* name, std::int64_t fallback) {
        return integerOr(attributes, name, fallback);
    };
    ConvGeometry g{};
    g.n = in[0][0], g.c = in[0][1], g.h = in[0][2], g.w = in[0][3];
    g.o = in[1][0], g.kh = in[1][2], g.kw = in[1][3];
    g.groups = get("groups", 1);
    g.strideY = get("stride_y", 1), g.strideX = get("stride_x", 1);
    g.dilationY = get("dilation_y", 1), g.dilationX = get("dilation_x", 1);
    g.padTop = get("pad_top", 0), g.padLeft = get("pad_left", 0);
    const std::int64_t padBottom = get("pad_bottom", 0), padRight = get("pad_right", 0);
    if (!within({g.strideY, g.strideX, g.dilationY, g.dilationX, g.groups}, 1) ||
        !within({g.padTop, g.padLeft, padBottom, padRight}, 0))
        return shapeError("a stride, dilation, padding or group count of conv2d is out of range", in);
    if (!within({g.h, g.w, g.kh, g.kw}, 1)) return shapeError("conv2d needs images and kernels", in);
    if (g.c % g.groups || g.o % g.groups || in[1][1] != g.c / g.groups)
        return shapeError("the channels of conv2d do not go together", in);
    if (in.size() == 3 && in[2] != Shape{g.o})
        return shapeError("the bias needs one number per output channel", in);
    g.outH = placesAlong(g.h, g.padTop + padBottom, g.kh, g.dilationY, g.strideY);
    g.outW = placesAlong(g.w, g.padLeft + padRight, g.kw, g.dilationX, g.strideX);
    if (g.places() < 1) return shapeError("the kernel of conv2d is larger than the padded image", in);
    return g;
}

} // namespace divdet::block::ops
