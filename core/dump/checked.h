#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "tensor/shape.h"

namespace divdet {

/// Sums and products of numbers that a file claims; nullopt when they do not fit 64 bits.
inline std::optional<std::uint64_t> addFits(std::uint64_t a, std::uint64_t b) {
    std::uint64_t r = 0;
    if (__builtin_add_overflow(a, b, &r)) return std::nullopt;
    return r;
}

inline std::optional<std::uint64_t> mulFits(std::uint64_t a, std::uint64_t b) {
    std::uint64_t r = 0;
    if (__builtin_mul_overflow(a, b, &r)) return std::nullopt;
    return r;
}

/// Bytes of shape × item; nullopt when an extent is negative or the product of the extents that are not zero
/// does not fit 63 bits (an empty shape may not hide an overflow: strides are made from the same numbers).
inline std::optional<std::uint64_t> byteCount(std::span<const std::int64_t> shape, std::uint64_t item) {
    std::uint64_t product = item ? item : 1;
    bool empty = item == 0;
    for (const std::int64_t extent : shape) {
        if (extent < 0) return std::nullopt;
        if (extent == 0) {
            empty = true;
            continue;
        }
        const auto next = mulFits(product, static_cast<std::uint64_t>(extent));
        if (!next || *next > INT64_MAX) return std::nullopt;
        product = *next;
    }
    return empty ? 0 : product;
}

/// Little-endian number at p, whatever its alignment.
template <class T>
T littleAt(const std::byte* p) {
    T value = 0;
    for (std::size_t i = sizeof(T); i-- > 0;) value = static_cast<T>((value << 8) | std::to_integer<T>(p[i]));
    return value;
}

} // namespace divdet
