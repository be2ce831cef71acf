#include "compare/element_block.h"

#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "base/int128.h"
#include "base/sigbus_guard.h"
#include "tensor/convert.h"
#include "tensor/walk.h"

namespace divdet {
namespace {

bool isInteger(DType t) {
    return kind(t) == DTypeKind::integer || kind(t) == DTypeKind::boolean;
}
bool isWide(DType t) {
    return t == DType::i64 || t == DType::u64;
}

bool loadReal(const TensorView& r, const TensorView& c, std::int64_t first, int n, ElementBlock& out) {
    const auto size = static_cast<std::size_t>(n);
    const bool read = guardMappedRead([&] {
        loadAsDouble(r, first, {out.reference.data(), size});
        loadAsDouble(c, first, {out.candidate.data(), size});
    });
    if (!read) return false;
    for (std::size_t i = 0; i < size; ++i) {
        const double x = out.candidate[i], y = out.reference[i];
        const double e = std::fabs(x - y);
        out.error[i] = e;
        out.magnitude[i] = std::fabs(y);
        if (x == y) {
            out.error[i] = 0; // inf − inf is nan
            out.state[i] = PairState::equal;
        } else if (std::isfinite(e)) {
            out.state[i] = PairState::finite; // e finite implies both finite
        } else {
            out.state[i] = std::isnan(x) && std::isnan(y) ? PairState::bothNan : PairState::never;
        }
    }
    return true;
}

bool loadIntegers(const TensorView& r, const TensorView& c, std::int64_t first, int n, ElementBlock& out) {
    std::vector<WideInt> a(static_cast<std::size_t>(n)), b(a.size());
    const bool read = guardMappedRead([&] {
        loadAsWideInt(c, first, a);
        loadAsWideInt(r, first, b);
    });
    if (!read) return false;
    const auto wide = [](WideInt v) {
        const auto m = static_cast<Int128>(v.magnitude);
        return v.negative ? -m : m;
    };
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Int128 x = wide(a[i]), y = wide(b[i]);
        out.candidate[i] = static_cast<double>(x);
        out.reference[i] = static_cast<double>(y);
        out.error[i] = static_cast<double>(x > y ? x - y : y - x);
        out.magnitude[i] = std::fabs(out.reference[i]);
        out.state[i] = x == y ? PairState::equal : PairState::finite;
    }
    return true;
}

bool loadComplex(const TensorView& r, const TensorView& c, std::int64_t first, int n, ElementBlock& out) {
    using Complex = std::complex<double>;
    std::vector<Complex> a(static_cast<std::size_t>(n)), b(a.size());
    const bool read = guardMappedRead([&] {
        loadAsComplex(c, first, a);
        loadAsComplex(r, first, b);
    });
    if (!read) return false;
    const auto isNan = [](Complex z) { return std::isnan(z.real()) || std::isnan(z.imag()); };
    const auto modulus = [](Complex z) { return std::hypot(z.real(), z.imag()); };
    for (std::size_t i = 0; i < a.size(); ++i) {
        const Complex x = a[i], y = b[i];
        // hypot answers inf for (inf, nan); a NaN part makes the element NaN.
        out.candidate[i] = isNan(x) ? std::nan("") : modulus(x);
        out.reference[i] = isNan(y) ? std::nan("") : modulus(y);
        out.magnitude[i] = out.reference[i];
        out.error[i] = modulus(x - y);
        if (x == y) {
            out.error[i] = 0;
            out.state[i] = PairState::equal;
        } else if (isNan(x) && isNan(y)) {
            out.state[i] = PairState::bothNan;
        } else if (std::isfinite(out.error[i]) && std::isfinite(out.reference[i])) {
            out.state[i] = PairState::finite;
        } else {
            out.state[i] = PairState::never;
        }
    }
    return true;
}

} // namespace

bool loadBlock(const TensorView& reference, const TensorView& candidate, std::int64_t first, int count,
               ElementBlock& out) {
    out.count = count;
    if (kind(reference.dtype) == DTypeKind::complex || kind(candidate.dtype) == DTypeKind::complex)
        return loadComplex(reference, candidate, first, count, out);
    if (isInteger(reference.dtype) && isInteger(candidate.dtype) &&
        (isWide(reference.dtype) || isWide(candidate.dtype)))
        return loadIntegers(reference, candidate, first, count, out);
    return loadReal(reference, candidate, first, count, out);
}

bool maskBlock(const TensorView& mask, std::int64_t first, ElementBlock& out) {
    return guardMappedRead([&] {
        walkRuns(mask, first, out.count,
                 [&](const std::byte* p, std::int64_t stride, std::int64_t n, std::int64_t at) {
                     for (std::int64_t i = 0; i < n; ++i, p += stride)
                         if (*p == std::byte{0})
                             out.state[static_cast<std::size_t>(at + i)] = PairState::masked;
                 });
    });
}

} // namespace divdet
