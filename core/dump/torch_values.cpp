#include "dump/torch_values.h"

#include <algorithm>
#include <array>

#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr std::int64_t kBlock = 1024;

template <class F>
Tensor mapped(const Tensor& stored, F&& value) {
    const TensorView& v = stored.view();
    TensorBuilder out(DType::f32, v.shape);
    auto to = out.as<float>();
    std::array<double, kBlock> block;
    const std::int64_t n = v.elements();
    for (std::int64_t at = 0; at < n; at += kBlock) {
        const auto count = static_cast<std::size_t>(std::min(kBlock, n - at));
        loadAsDouble(v, at, {block.data(), count});
        for (std::size_t i = 0; i < count; ++i)
            to[static_cast<std::size_t>(at) + i] = value(block[i], at + static_cast<std::int64_t>(i));
    }
    return std::move(out).finish();
}

} // namespace

Tensor dequantise(const Tensor& stored, double scale, std::int64_t zeroPoint) {
    const auto s = static_cast<float>(scale);
    return mapped(stored, [=](double q, std::int64_t) {
        return static_cast<float>(q - static_cast<double>(zeroPoint)) * s;
    });
}

Tensor dequantise(const Tensor& stored, const Tensor& scales, const Tensor& zeroPoints, std::size_t axis) {
    const Shape& shape = stored.shape();
    std::int64_t inner = 1;
    for (std::size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
    const auto channels = static_cast<std::size_t>(shape[axis]);
    std::vector<double> scale(channels), zero(channels);
    loadAsDouble(scales.view(), 0, scale);
    loadAsDouble(zeroPoints.view(), 0, zero);
    return mapped(stored, [&](double q, std::int64_t i) {
        const auto c = static_cast<std::size_t>(i / inner % shape[axis]);
        return static_cast<float>(q - zero[c]) * static_cast<float>(scale[c]);
    });
}

Tensor widen(const Tensor& codes, SmallFloat format) {
    const auto values = smallFloatValues(format);
    return mapped(codes, [&](double code, std::int64_t) { return values[static_cast<std::size_t>(code)]; });
}

Tensor withSigns(const Tensor& stored, bool conjugated, bool negated) {
    const bool complex = kind(stored.dtype()) == DTypeKind::complex;
    if (!complex && kind(stored.dtype()) != DTypeKind::floating) return stored;
    const Tensor plain = compacted(stored);
    TensorBuilder out(plain.dtype(), plain.shape());
    const auto to = out.bytes();
    std::copy_n(plain.view().data, to.size(), to.begin());
    const std::size_t item = itemSize(plain.dtype()), part = complex ? item / 2 : item;
    for (std::size_t p = 0; (p + 1) * part <= to.size(); ++p) {
        const bool imaginary = complex && p % 2 == 1;
        if (negated != (conjugated && imaginary)) to[(p + 1) * part - 1] ^= std::byte{0x80}; // little-endian
    }
    return std::move(out).finish();
}

} // namespace divdet
