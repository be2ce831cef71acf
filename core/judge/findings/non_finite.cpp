#include <cmath>

#include <fmt/format.h>

#include "judge/findings.h"
#include "tensor/shape.h"

namespace divdet::findings {
namespace {

struct FirstOne {
    std::int64_t index = -1;
    double reference = 0;
};

template <class F>
FirstOne firstWhere(const PairEvidence& pair, F&& holds) {
    FirstOne out;
    eachRun(pair, [&](std::int64_t first, auto r, auto c) {
        for (std::size_t i = 0; i < r.size(); ++i)
            if (holds(r[i], c[i])) {
                out = {first + static_cast<std::int64_t>(i), r[i]};
                return false;
            }
        return true;
    });
    return out;
}

bool real(const PairEvidence& pair) {
    return kind(pair.reference.dtype) != DTypeKind::complex &&
           kind(pair.candidate.dtype) != DTypeKind::complex;
}

std::string at(const FirstOne& f, const Shape& shape) {
    return fmt::format("at {}, where the reference is {}", toString(unravel(f.index, shape)), f.reference);
}

Finding introduced(const char* id, const char* what, std::int64_t count, const FirstOne& first,
                   const Shape& shape) {
    Finding out{id, FindingClass::bug, "", {{"count", count}}};
    out.text = fmt::format("The candidate has {} {} that the reference has not", count, what);
    if (first.index >= 0) {
        out.text += fmt::format(", the first {}", at(first, shape));
        out.evidence.emplace_back("first", unravel(first.index, shape));
        out.evidence.emplace_back("reference", first.reference);
    }
    out.text += '.';
    return out;
}

} // namespace

/// NaN where the reference is none.
std::optional<Finding> nanIntroduced(const PairEvidence& pair) {
    const std::int64_t count = pair.summary.nan.candidate - pair.summary.nan.both;
    if (count <= 0) return {};
    FirstOne first;
    if (real(pair))
        first = firstWhere(pair, [](double r, double c) { return std::isnan(c) && !std::isnan(r); });
    return introduced("nan-introduced", "NaN", count, first, pair.reference.shape);
}

/// An infinity where the reference is not that infinity.
std::optional<Finding> infIntroduced(const PairEvidence& pair) {
    const std::int64_t count = pair.summary.inf.candidate - pair.summary.inf.both;
    if (count <= 0) return {};
    FirstOne first;
    if (real(pair)) first = firstWhere(pair, [](double r, double c) { return std::isinf(c) && r != c; });
    return introduced("inf-introduced", count == 1 ? "infinity" : "infinities", count, first,
                      pair.reference.shape);
}

} // namespace divdet::findings
