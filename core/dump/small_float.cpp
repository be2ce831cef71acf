#include "dump/small_float.h"

#include <cmath>
#include <limits>

namespace divdet {
namespace {

struct Layout {
    int exponentBits, fractionBits, bias;
    bool nanInsteadOfMinusZero;
};

constexpr Layout layoutOf(SmallFloat format) {
    switch (format) {
    case SmallFloat::f8e4m3fnuz:
        return {4, 3, 8, true};
    case SmallFloat::f8e5m2fnuz:
        return {5, 2, 16, true};
    case SmallFloat::f6e2m3:
        return {2, 3, 1, false};
    case SmallFloat::f6e3m2:
        return {3, 2, 3, false};
    default:
        return {2, 1, 1, false};
    }
}

float valueOf(const Layout& l, int code) {
    const int magnitudeBits = l.exponentBits + l.fractionBits;
    const int fraction = code & ((1 << l.fractionBits) - 1);
    const int exponent = (code >> l.fractionBits) & ((1 << l.exponentBits) - 1);
    const bool negative = (code >> magnitudeBits) & 1;
    if (l.nanInsteadOfMinusZero && negative && fraction == 0 && exponent == 0)
        return std::numeric_limits<float>::quiet_NaN();
    const int whole = exponent ? fraction | (1 << l.fractionBits) : fraction;
    const float magnitude =
        std::ldexp(static_cast<float>(whole), (exponent ? exponent : 1) - l.bias - l.fractionBits);
    return negative ? -magnitude : magnitude;
}

} // namespace

std::array<float, 256> smallFloatValues(SmallFloat format) {
    std::array<float, 256> out{};
    for (int code = 0; code < 256; ++code) {
        auto& value = out[static_cast<std::size_t>(code)];
        if (format == SmallFloat::f8e8m0)
            value = code == 255 ? std::numeric_limits<float>::quiet_NaN() : std::ldexp(1.0f, code - 127);
        else
            value = valueOf(layoutOf(format), code);
    }
    return out;
}

} // namespace divdet
