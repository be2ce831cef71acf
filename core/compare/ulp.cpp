#include "compare/ulp.h"

#include <bit>
#include <cmath>
#include <cstdint>

#include "numerics/rounding.h"

namespace divdet {
namespace {

/// Steps between two sign-magnitude floats. Magnitudes take one bit less than the word, so their sum fits it.
template <class Bits>
double distance(Bits a, Bits b) {
    constexpr std::uint64_t kSign = std::uint64_t{1} << (8 * sizeof(Bits) - 1);
    const std::uint64_t x = a & (kSign - 1), y = b & (kSign - 1);
    const bool sameSign = ((a ^ b) & kSign) == 0;
    return static_cast<double>(!sameSign ? x + y : x < y ? y - x : x - y);
}

} // namespace

double ulpDistance(double a, double b, DType dtype) {
    switch (dtype) {
    case DType::f64:
        return distance(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b));
    case DType::f32:
        return distance(std::bit_cast<std::uint32_t>(static_cast<float>(a)),
                        std::bit_cast<std::uint32_t>(static_cast<float>(b)));
    case DType::f16:
        return distance(numerics::f16FromDouble(a), numerics::f16FromDouble(b));
    case DType::bf16:
        return distance(numerics::bf16FromDouble(a), numerics::bf16FromDouble(b));
    case DType::f8e4m3:
        return distance(numerics::f8e4m3FromDouble(a), numerics::f8e4m3FromDouble(b));
    case DType::f8e5m2:
        return distance(numerics::f8e5m2FromDouble(a), numerics::f8e5m2FromDouble(b));
    default:
        return std::fabs(a - b);
    }
}

std::optional<DType> ulpDType(DType reference, DType candidate) {
    const auto floating = [](DType t) { return kind(t) == DTypeKind::floating; };
    const auto counted = [&](DType t) {
        return floating(t) || kind(t) == DTypeKind::integer || kind(t) == DTypeKind::boolean;
    };
    if (!counted(reference) || !counted(candidate)) return std::nullopt;
    if (floating(reference) && floating(candidate)) return coarser(reference, candidate);
    if (floating(reference)) return reference;
    return candidate; // floating, or both are integers and a step is one
}

double smallestNormal(DType dtype) {
    switch (dtype) {
    case DType::f64:
    case DType::c128:
        return 0x1p-1022;
    case DType::f32:
    case DType::bf16:
    case DType::c64:
        return 0x1p-126;
    case DType::f16:
    case DType::f8e5m2:
        return 0x1p-14;
    case DType::f8e4m3:
        return 0x1p-6;
    default:
        return 0;
    }
}

} // namespace divdet
