#include "compare/rules/numpy_assert.h"

#include <complex>

#include "compare/rules/numpy_rule.h"
#include "compare/rules/stream_blocks.h"
#include "tensor/convert.h"

namespace divdet::rules {
namespace {

using Complex = std::complex<double>;

bool isNan(Complex z) {
    return std::isnan(z.real()) || std::isnan(z.imag());
}
bool isInf(Complex z) {
    return std::isinf(z.real()) || std::isinf(z.imag());
}

struct Counts {
    bool nanPlaces = false, infPlaces = false, infValues = false; ///< where they differ
    std::int64_t mismatched = 0;
};

struct Scratch {
    RuleBlock block;
    std::array<Complex, RuleBlock::kSize> a, b;
};

/// numpy looks for NaN and infinities only in types it knows itself; bf16 and fp8 come from ml_dtypes.
bool isNumpyNumber(DType t) {
    return t != DType::bf16 && !isFp8(t);
}

void add(const Scratch& s, int count, bool equalNan, bool positions, Counts& out) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const Complex x = s.a[i], y = s.b[i];
        bool apart = false; // compared already, and left out of the rest
        if (!positions) {
            if (!s.block.passes[i]) ++out.mismatched;
            continue;
        }
        if (equalNan) {
            if (isNan(x) != isNan(y)) out.nanPlaces = true;
            apart = isNan(y);
        }
        if (isInf(x) != isInf(y)) out.infPlaces = true;
        if (isInf(x) && isInf(y)) {
            if (x != y && !(equalNan && apart)) out.infValues = true;
            apart = true;
        }
        if (!apart && !s.block.passes[i]) ++out.mismatched;
    }
}

} // namespace

std::string_view toString(AssertAllclose::Fails f) {
    switch (f) {
    case AssertAllclose::Fails::nothing:
        return "pass";
    case AssertAllclose::Fails::nanLocation:
        return "nan location";
    case AssertAllclose::Fails::infLocation:
        return "inf location";
    case AssertAllclose::Fails::infValues:
        return "inf values";
    case AssertAllclose::Fails::values:
        return "values";
    }
    return "";
}

Result<AssertAllclose> assertAllclose(const TensorView& reference, const TensorView& candidate, double rtol,
                                      double atol, bool equalNan, const Progress& progress) {
    const BlockRule rule = numpyRule(reference, candidate, {Rule::numpy, rtol, atol, equalNan});
    const bool positions = isNumpyNumber(reference.dtype) && isNumpyNumber(candidate.dtype);
    Counts whole;
    auto status = streamBlocks<Counts, Scratch>(
        reference.elements(), progress, whole,
        [&](std::int64_t first, int count, Counts& part, Scratch& s) {
            rule(first, count, s.block);
            loadAsComplex(candidate, first, {s.a.data(), static_cast<std::size_t>(count)});
            loadAsComplex(reference, first, {s.b.data(), static_cast<std::size_t>(count)});
            add(s, count, equalNan, positions, part);
        },
        [](const Counts& part, Counts& into) {
            into.nanPlaces = into.nanPlaces || part.nanPlaces;
            into.infPlaces = into.infPlaces || part.infPlaces;
            into.infValues = into.infValues || part.infValues;
            into.mismatched += part.mismatched;
        });
    if (!status) return status.error();
    using Fails = AssertAllclose::Fails;
    AssertAllclose out;
    if (whole.nanPlaces)
        out.fails = Fails::nanLocation;
    else if (whole.infPlaces)
        out.fails = Fails::infLocation;
    else if (whole.infValues)
        out.fails = Fails::infValues;
    else if (whole.mismatched > 0)
        out.fails = Fails::values;
    if (out.fails == Fails::values) out.mismatched = whole.mismatched;
    return out;
}

} // namespace divdet::rules
