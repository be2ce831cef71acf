#include "compare/rules/plain_rule.h"

#include <cmath>
#include <complex>

#include "base/int128.h"
#include "compare/rules/precision.h"
#include "tensor/convert.h"

namespace divdet::rules {
namespace {

using Complex = std::complex<double>;

/// One element as both rules see it: the values differ, and `error` is |c − r|.
bool passesDifferent(const Tolerance& t, double error, double magnitude) {
    return std::isfinite(error) && std::isfinite(magnitude) && passesFinite(t, error, magnitude);
}

void realBlock(const TensorView& r, const TensorView& c, const Tolerance& t, std::int64_t first,
               std::size_t n, RuleBlock& out) {
    loadAsDouble(r, first, {out.reference.data(), n});
    loadAsDouble(c, first, {out.candidate.data(), n});
    for (std::size_t i = 0; i < n; ++i) {
        out.error[i] = std::fabs(out.candidate[i] - out.reference[i]);
        out.passes[i] = passes(t, out.candidate[i], out.reference[i]);
    }
}

void integerBlock(const TensorView& r, const TensorView& c, const Tolerance& t, std::int64_t first,
                  std::size_t n, RuleBlock& out) {
    std::vector<WideInt> a(n), b(n);
    loadAsWideInt(c, first, a);
    loadAsWideInt(r, first, b);
    const auto wide = [](WideInt v) {
        const auto m = static_cast<Int128>(v.magnitude);
        return v.negative ? -m : m;
    };
    for (std::size_t i = 0; i < n; ++i) {
        const Int128 x = wide(a[i]), y = wide(b[i]);
        out.candidate[i] = static_cast<double>(x);
        out.reference[i] = static_cast<double>(y);
        out.error[i] = static_cast<double>(x > y ? x - y : y - x);
        out.passes[i] = x == y || passesDifferent(t, out.error[i], std::fabs(out.reference[i]));
    }
}

void complexBlock(const TensorView& r, const TensorView& c, const Tolerance& t, std::int64_t first,
                  std::size_t n, RuleBlock& out) {
    const auto isNan = [](Complex z) { return std::isnan(z.real()) || std::isnan(z.imag()); };
    const auto modulus = [&](Complex z) { return isNan(z) ? std::nan("") : std::hypot(z.real(), z.imag()); };
    std::vector<Complex> a(n), b(n);
    loadAsComplex(c, first, a);
    loadAsComplex(r, first, b);
    for (std::size_t i = 0; i < n; ++i) {
        const Complex x = a[i], y = b[i];
        out.candidate[i] = modulus(x);
        out.reference[i] = modulus(y);
        out.error[i] = std::hypot(x.real() - y.real(), x.imag() - y.imag());
        out.passes[i] = x == y || (t.equalNan && isNan(x) && isNan(y)) ||
                        passesDifferent(t, out.error[i], out.reference[i]);
    }
}

} // namespace

BlockRule plainRule(const TensorView& reference, const TensorView& candidate, const Tolerance& t) {
    return [=](std::int64_t first, int count, RuleBlock& out) {
        const auto n = static_cast<std::size_t>(count);
        if (isComplex(reference.dtype) || isComplex(candidate.dtype))
            complexBlock(reference, candidate, t, first, n, out);
        else if (isInteger(reference.dtype) && isInteger(candidate.dtype))
            integerBlock(reference, candidate, t, first, n, out);
        else
            realBlock(reference, candidate, t, first, n, out);
        for (std::size_t i = 0; i < n; ++i) out.bound[i] = bound(t, std::fabs(out.reference[i]));
    };
}

} // namespace divdet::rules
