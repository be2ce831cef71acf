#include "compare/rules/torch_rule.h"

#include <complex>

#include <fmt/format.h>

#include "compare/rules/precision.h"
#include "tensor/convert.h"

namespace divdet::rules {
namespace {

using Complex = std::complex<double>;

Precision precisionOf(DType t) {
    switch (t) {
    case DType::f16:
        return Precision::f16;
    case DType::bf16:
        return Precision::bf16;
    case DType::f64:
    case DType::c128:
        return Precision::f64;
    default:
        return Precision::f32;
    }
}

struct Bounds {
    double rtol, atol;
    bool equalNan;
    bool onlyEqual; ///< both tolerances are 0: the difference is not looked at
};

template <Precision P>
void decide(const Bounds& t, double x, double y, bool equal, std::size_t i, RuleBlock& out) {
    out.error[i] = std::fabs(rounded<P>(x - y));
    out.bound[i] = rounded<P>(t.atol + std::fabs(rounded<P>(t.rtol * y)));
    const bool close = !t.onlyEqual && std::isfinite(out.error[i]) && out.error[i] <= out.bound[i];
    out.passes[i] = equal || close || (t.equalNan && std::isnan(x) && std::isnan(y));
}

template <Precision P>
BlockRule realRule(const TensorView& r, const TensorView& c, const Bounds& t) {
    return [=](std::int64_t first, int count, RuleBlock& out) {
        const auto n = static_cast<std::size_t>(count);
        loadAsDouble(r, first, {out.reference.data(), n});
        loadAsDouble(c, first, {out.candidate.data(), n});
        for (std::size_t i = 0; i < n; ++i)
            decide<P>(t, out.candidate[i], out.reference[i], out.candidate[i] == out.reference[i], i, out);
    };
}

double asFloat(WideInt v) {
    const auto f = static_cast<float>(v.magnitude);
    return v.negative ? -static_cast<double>(f) : static_cast<double>(f);
}

/// Equality is that of the integers; the rest sees them through float32.
BlockRule integerRule(const TensorView& r, const TensorView& c, const Bounds& t) {
    return [=](std::int64_t first, int count, RuleBlock& out) {
        const auto n = static_cast<std::size_t>(count);
        std::vector<WideInt> a(n), b(n);
        loadAsWideInt(c, first, a);
        loadAsWideInt(r, first, b);
        for (std::size_t i = 0; i < n; ++i) {
            out.candidate[i] = asFloat(a[i]);
            out.reference[i] = asFloat(b[i]);
            const bool equal = a[i].magnitude == b[i].magnitude && a[i].negative == b[i].negative;
            decide<Precision::f32>(t, out.candidate[i], out.reference[i], equal, i, out);
        }
    };
}

bool isNan(Complex z) {
    return std::isnan(z.real()) || std::isnan(z.imag());
}

template <Precision P>
BlockRule complexRule(const TensorView& r, const TensorView& c, const Bounds& t) {
    const auto modulus = [](double re, double im) { return rounded<P>(std::hypot(re, im)); };
    return [=](std::int64_t first, int count, RuleBlock& out) {
        const auto n = static_cast<std::size_t>(count);
        std::vector<Complex> a(n), b(n);
        loadAsComplex(c, first, a);
        loadAsComplex(r, first, b);
        for (std::size_t i = 0; i < n; ++i) {
            const Complex x = a[i], y = b[i];
            out.candidate[i] = isNan(x) ? std::nan("") : modulus(x.real(), x.imag());
            out.reference[i] = isNan(y) ? std::nan("") : modulus(y.real(), y.imag());
            out.error[i] = modulus(rounded<P>(x.real() - y.real()), rounded<P>(x.imag() - y.imag()));
            const double scaled = modulus(rounded<P>(t.rtol * y.real()), rounded<P>(t.rtol * y.imag()));
            out.bound[i] = rounded<P>(t.atol + scaled);
            const bool close = !t.onlyEqual && std::isfinite(out.error[i]) && out.error[i] <= out.bound[i];
            out.passes[i] = x == y || close || (t.equalNan && isNan(x) && isNan(y));
        }
    };
}

/// A code of fp8 is its value but for NaN and −0, which bits tell apart.
BlockRule bitRule(const TensorView& r, const TensorView& c) {
    return [=](std::int64_t first, int count, RuleBlock& out) {
        const auto n = static_cast<std::size_t>(count);
        TensorView br = r, bc = c;
        br.dtype = bc.dtype = DType::u8;
        loadAsDouble(br, first, {out.error.data(), n});
        loadAsDouble(bc, first, {out.bound.data(), n});
        for (std::size_t i = 0; i < n; ++i) out.passes[i] = out.error[i] == out.bound[i];
        loadAsDouble(r, first, {out.reference.data(), n});
        loadAsDouble(c, first, {out.candidate.data(), n});
        for (std::size_t i = 0; i < n; ++i) {
            out.error[i] = std::fabs(out.candidate[i] - out.reference[i]);
            out.bound[i] = 0;
        }
    };
}

/// Complex with real is left to converted() to refuse.
DType promoted(DType a, DType b) {
    if (a == b) return a;
    if (isInteger(a) != isInteger(b)) return isInteger(a) ? b : a;
    if (isInteger(a)) return DType::i64; // equality only: the default tolerances of integers are 0
    return a == DType::f64 || b == DType::f64 ? DType::f64 : DType::f32; // f16 with bf16 is f32 too
}

Result<Tensor> asType(const Tensor& t, DType type) {
    if (t.dtype() == type) return t;
    return converted(t, type);
}

} // namespace

Result<BlockRule> torchRule(const TensorView& reference, const TensorView& candidate,
                            const Tolerance& tolerance) {
    if (reference.dtype != candidate.dtype)
        return Error{ErrorCode::mismatch,
                     fmt::format("the rule torch needs one dtype; the reference is {}, the candidate {}",
                                 name(reference.dtype), name(candidate.dtype)),
                     "", "convert one side, or compare under the rule allclose"};
    if (!(tolerance.rtol >= 0 && tolerance.atol >= 0))
        return Error{ErrorCode::usage,
                     fmt::format("torch refuses rtol {} with atol {}", tolerance.rtol, tolerance.atol), "",
                     "torch takes tolerances that are 0 or larger"};
    if (isFp8(reference.dtype)) return bitRule(reference, candidate);
    const Precision p = precisionOf(reference.dtype);
    const double rtol = p == Precision::f64 ? tolerance.rtol : rounded<Precision::f32>(tolerance.rtol);
    const Bounds t{rtol, rounded(p, tolerance.atol), tolerance.equalNan && !isInteger(reference.dtype),
                   tolerance.rtol == 0 && tolerance.atol == 0};
    if (isInteger(reference.dtype)) return integerRule(reference, candidate, t);
    return withPrecision(p, [&]<Precision P>() -> BlockRule {
        return isComplex(reference.dtype) ? complexRule<P>(reference, candidate, t)
                                          : realRule<P>(reference, candidate, t);
    });
}

TorchDefaults assertCloseDefaults(DType t) {
    switch (t) {
    case DType::f16:
        return {1e-3, 1e-5};
    case DType::bf16:
        return {1.6e-2, 1e-5};
    case DType::f32:
    case DType::c64:
        return {1.3e-6, 1e-5};
    case DType::f64:
    case DType::c128:
        return {1e-7, 1e-7};
    default:
        return {0, 0};
    }
}

Result<RuleOutcome> assertClose(const Tensor& reference, const Tensor& candidate, const AssertClose& options,
                                const Progress& progress) {
    const DType a = candidate.dtype(), b = reference.dtype();
    if (a != b && options.checkDType) {
        RuleOutcome out;
        out.passes = false;
        out.note = fmt::format("dtypes differ: {} and {}", name(a), name(b));
        return out;
    }
    TorchDefaults t = assertCloseDefaults(a);
    const TorchDefaults other = assertCloseDefaults(b);
    t = options.tolerance.value_or(TorchDefaults{std::max(t.rtol, other.rtol), std::max(t.atol, other.atol)});
    const DType common = promoted(a, b);
    auto r = asType(reference, common);
    if (!r) return r.error();
    auto c = asType(candidate, common);
    if (!c) return c.error();
    const Tolerance tolerance{Rule::torch, t.rtol, t.atol, options.equalNan};
    auto rule = torchRule(r->view(), c->view(), tolerance);
    if (!rule) return rule.error();
    auto out = countMismatches({r->view(), c->view(), {}, {}}, *rule, progress);
    if (out) out->tolerance = tolerance;
    return out;
}

} // namespace divdet::rules
