#pragma once
#include <span>

#include "base/result.h"
#include "block/attributes.h"
#include "tensor/shape.h"

namespace divdet::block::ops {

/// Sizes of a 2-D convolution; x [n, c, h, w], weight [o, c / groups, kh, kw], out [n, o, outH, outW].
struct ConvGeometry {
    std::int64_t n, c, h, w, o, kh, kw, outH, outW, groups;
    std::int64_t strideY, strideX, dilationY, dilationX, padTop, padLeft;

    std::int64_t terms() const { return c / groups * kh * kw; } ///< products per output
    std::int64_t places() const { return outH * outW; }

    /// Flat index in one image's group (channels c / groups) of product `term` at output place `place`; -1 in
    /// the padding. Terms count channels, then kernel rows, then kernel columns.
    std::int64_t source(std::int64_t place, std::int64_t term) const {
        const std::int64_t y = place / outW * strideY - padTop + term / kw % kh * dilationY;
        const std::int64_t x = place % outW * strideX - padLeft + term % kw * dilationX;
        if (y < 0 || y >= h || x < 0 || x >= w) return -1;
        return (term / (kh * kw) * h + y) * w + x;
    }
};

/// Attributes stride_y, stride_x, dilation_y, dilation_x, groups (default 1) and pad_top, pad_left,
/// pad_bottom, pad_right (default 0). Errors: mismatch for shapes that do not go together, attributes out of
/// range and a kernel larger than the padded image.
Result<ConvGeometry> convGeometry(std::span<const Shape> in, const Attributes& attributes);

} // namespace divdet::block::ops
