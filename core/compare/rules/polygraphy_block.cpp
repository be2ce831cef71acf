#include "compare/rules/polygraphy_block.h"

#include <bit>
#include <cmath>
#include <vector>

#include "compare/rules/precision.h"
#include "tensor/convert.h"

namespace divdet::rules {
namespace {

/// What stands for a zero reference.
constexpr double kEpsilon = 0x1p-52;
constexpr std::uint64_t kTop = std::uint64_t{1} << 63;

bool isFloat(PolyType t) {
    return t == PolyType::f32 || t == PolyType::f64;
}

/// Two's complement bits of a value, sign-extended; u64 as it is.
std::uint64_t bits(WideInt v) {
    return v.negative ? std::uint64_t{0} - v.magnitude : v.magnitude;
}

double signedValue(std::uint64_t b) {
    return static_cast<double>(static_cast<std::int64_t>(b));
}

std::uint64_t wrap32(std::uint64_t b) {
    return static_cast<std::uint64_t>(
        static_cast<std::int64_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(b))));
}

/// |b| in the type; the smallest signed number has none and stays itself.
std::uint64_t magnitudeBits(PolyType t, std::uint64_t b) {
    if (t == PolyType::u64 || t == PolyType::boolean) return b;
    if (!(b & kTop)) return b;
    const std::uint64_t positive = std::uint64_t{0} - b;
    return t == PolyType::i32 ? wrap32(positive) : positive;
}

double toDouble(PolyType t, std::uint64_t b) {
    return t == PolyType::u64 ? static_cast<double>(b) : signedValue(b);
}

PolyType differenceType(PolyType a, PolyType b) {
    if (a == b || b == PolyType::boolean) return a;
    if (a == PolyType::boolean) return b;
    if (isFloat(a) || isFloat(b) || a == PolyType::u64 || b == PolyType::u64) return PolyType::f64;
    return PolyType::i64;
}

/// Both sides are integers or bool. `held`: the type the differences are kept in.
void integers(const TensorView& r, const TensorView& c, PolyType held, std::int64_t first, std::size_t n,
              PolyBlock& out) {
    std::vector<WideInt> a(n), b(n);
    loadAsWideInt(c, first, a);
    loadAsWideInt(r, first, b);
    const PolyType x = castUp(c.dtype), y = castUp(r.dtype), type = differenceType(x, y);
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t p = bits(a[i]), q = bits(b[i]);
        out.candidate[i] = toDouble(x, p);
        out.reference[i] = toDouble(y, q);
        out.magnitude[i] = toDouble(y, magnitudeBits(y, q));
        if (type == PolyType::f64) { // u64 against a signed type
            out.abs[i] = std::fabs(out.candidate[i] - out.reference[i]);
            out.absKey[i] = orderKey(out.abs[i]);
        } else {
            std::uint64_t d = type == PolyType::boolean ? p ^ q : p - q;
            if (type == PolyType::i32) d = wrap32(d);
            d = magnitudeBits(type, d);
            out.abs[i] = toDouble(type, d);
            out.absKey[i] = held == PolyType::f64   ? orderKey(out.abs[i])
                            : held == PolyType::u64 ? d
                                                    : d ^ kTop;
        }
        out.rel[i] = out.abs[i] / out.magnitude[i];
    }
}

/// D: where the difference is rounded; Q: where the quotient is.
template <Precision D, Precision Q>
void floats(const TensorView& r, const TensorView& c, bool infinitiesEqual, std::int64_t first, std::size_t n,
            PolyBlock& out) {
    loadAsDouble(r, first, {out.reference.data(), n});
    loadAsDouble(c, first, {out.candidate.data(), n});
    const PolyType type = castUp(r.dtype);
    std::vector<WideInt> exact(isFloat(type) ? 0 : n);
    if (!exact.empty()) loadAsWideInt(r, first, exact);
    for (std::size_t i = 0; i < n; ++i) {
        const double x = out.candidate[i], y = out.reference[i];
        double e = std::fabs(rounded<D>(x - y));
        if (infinitiesEqual && std::isinf(x) && x == y) e = 0;
        double m = std::fabs(y);
        if (!exact.empty())
            m = toDouble(type, magnitudeBits(type, bits(exact[i])));
        else if (m == 0)
            m = kEpsilon;
        out.abs[i] = e;
        out.magnitude[i] = m;
        out.rel[i] = rounded<Q>(e / m);
        out.absKey[i] = orderKey(e);
    }
}

} // namespace

PolyType castUp(DType t) {
    switch (t) {
    case DType::boolean:
        return PolyType::boolean;
    case DType::i64:
    case DType::u32:
        return PolyType::i64;
    case DType::u64:
        return PolyType::u64;
    case DType::f64:
        return PolyType::f64;
    case DType::f32:
    case DType::f16:
    case DType::bf16:
    case DType::f8e4m3:
    case DType::f8e5m2:
        return PolyType::f32;
    default:
        return PolyType::i32;
    }
}

PolyType absType(DType reference, DType candidate, bool infinitiesEqual) {
    const PolyType t = differenceType(castUp(reference), castUp(candidate));
    if (!infinitiesEqual || t == PolyType::boolean) return t;
    return t == PolyType::i32 || t == PolyType::i64 ? PolyType::i64 : PolyType::f64;
}

PolyType relType(DType reference, DType candidate, bool infinitiesEqual) {
    return absType(reference, candidate, infinitiesEqual) == PolyType::f32 ? PolyType::f32 : PolyType::f64;
}

std::uint64_t orderKey(double x) {
    const std::uint64_t u = std::bit_cast<std::uint64_t>(x);
    return u & kTop ? ~u : u | kTop;
}

double valueOfKey(std::uint64_t key) {
    return std::bit_cast<double>(key & kTop ? key & ~kTop : ~key);
}

void loadPolyBlock(const TensorView& reference, const TensorView& candidate, bool infinitiesEqual,
                   std::int64_t first, int count, PolyBlock& out) {
    const auto n = static_cast<std::size_t>(count);
    const PolyType held = absType(reference.dtype, candidate.dtype, infinitiesEqual);
    if (isInteger(reference.dtype) && isInteger(candidate.dtype))
        integers(reference, candidate, held, first, n, out);
    else if (held == PolyType::f32)
        floats<Precision::f32, Precision::f32>(reference, candidate, infinitiesEqual, first, n, out);
    else if (absType(reference.dtype, candidate.dtype, false) == PolyType::f32)
        floats<Precision::f32, Precision::f64>(reference, candidate, infinitiesEqual, first, n, out);
    else
        floats<Precision::f64, Precision::f64>(reference, candidate, infinitiesEqual, first, n, out);
}

} // namespace divdet::rules
