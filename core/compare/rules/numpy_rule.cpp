#include "compare/rules/numpy_rule.h"

#include <complex>

#include "tensor/convert.h"

namespace divdet::rules {
namespace {

using Complex = std::complex<double>;

struct Bounds {
    double rtol, atol;
    bool equalNan;
};

template <Precision D, Precision B>
void realBlock(const TensorView& r, const TensorView& c, const Bounds& t, std::int64_t first, int count,
               RuleBlock& out) {
    const auto n = static_cast<std::size_t>(count);
    loadAsDouble(r, first, {out.reference.data(), n});
    loadAsDouble(c, first, {out.candidate.data(), n});
    for (std::size_t i = 0; i < n; ++i) {
        const double x = out.candidate[i], y = out.reference[i];
        const double error = std::fabs(rounded<D>(x - y));
        const double bound = rounded<B>(t.atol + rounded<B>(t.rtol * std::fabs(y)));
        out.error[i] = error;
        out.bound[i] = bound;
        out.passes[i] =
            (error <= bound && std::isfinite(y)) || x == y || (t.equalNan && std::isnan(x) && std::isnan(y));
    }
}

bool isNan(Complex z) {
    return std::isnan(z.real()) || std::isnan(z.imag());
}

/// hypot in the type of the parts, as numpy's absolute() does it.
double modulus(Precision p, Complex z) {
    if (p == Precision::f64) return std::hypot(z.real(), z.imag());
    return static_cast<double>(std::hypot(static_cast<float>(z.real()), static_cast<float>(z.imag())));
}

void complexBlock(const TensorView& r, const TensorView& c, Precision parts, Precision boundIn,
                  const Bounds& t, std::int64_t first, int count, RuleBlock& out) {
    const auto n = static_cast<std::size_t>(count);
    std::vector<Complex> a(n), b(n);
    loadAsComplex(c, first, a);
    loadAsComplex(r, first, b);
    for (std::size_t i = 0; i < n; ++i) {
        const Complex x = a[i], y = b[i];
        const Complex d{rounded(parts, x.real() - y.real()), rounded(parts, x.imag() - y.imag())};
        const double magnitude = modulus(boundIn, y);
        out.candidate[i] = isNan(x) ? std::nan("") : modulus(Precision::f64, x);
        out.reference[i] = isNan(y) ? std::nan("") : magnitude;
        out.error[i] = modulus(parts, d);
        out.bound[i] = rounded(boundIn, t.atol + rounded(boundIn, t.rtol * magnitude));
        const bool finite = std::isfinite(y.real()) && std::isfinite(y.imag());
        out.passes[i] =
            (out.error[i] <= out.bound[i] && finite) || x == y || (t.equalNan && isNan(x) && isNan(y));
    }
}

} // namespace

Precision numpyBoundPrecision(DType reference) {
    switch (reference) {
    case DType::f16:
        return Precision::f16;
    case DType::f32:
    case DType::bf16:
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::c64:
        return Precision::f32;
    default:
        return Precision::f64;
    }
}

Precision numpyDifferencePrecision(DType reference, DType candidate) {
    const Precision y = numpyBoundPrecision(reference);
    if (y == Precision::f64) return y;
    const bool complex = isComplex(reference) || isComplex(candidate); // there is no complex of two halves
    const Precision narrow = complex ? Precision::f32 : y;
    switch (candidate) {
    case DType::f16:
    case DType::boolean:
    case DType::i8:
    case DType::u8:
        return narrow;
    case DType::f32:
    case DType::bf16:
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::c64:
    case DType::i16:
    case DType::u16:
        return Precision::f32;
    default:
        return Precision::f64;
    }
}

BlockRule numpyRule(const TensorView& reference, const TensorView& candidate, const Tolerance& tolerance) {
    const Precision b = numpyBoundPrecision(reference.dtype);
    const Precision d = numpyDifferencePrecision(reference.dtype, candidate.dtype);
    const Bounds t{rounded(b, tolerance.rtol), rounded(b, tolerance.atol), tolerance.equalNan};
    if (isComplex(reference.dtype) || isComplex(candidate.dtype))
        return [=](std::int64_t first, int count, RuleBlock& out) {
            complexBlock(reference, candidate, d, b, t, first, count, out);
        };
    return withPrecision(d, [&]<Precision D>() {
        return withPrecision(b, [&]<Precision B>() -> BlockRule {
            return [=](std::int64_t first, int count, RuleBlock& out) {
                realBlock<D, B>(reference, candidate, t, first, count, out);
            };
        });
    });
}

} // namespace divdet::rules
