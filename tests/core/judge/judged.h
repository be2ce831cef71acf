#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "compare/scan.h"
#include "judge/find_causes.h"
#include "make_tensor.h"
#include "tensor/convert.h"

namespace divdet::test {

/// A pair with all that the judge says of it.
struct Judged {
    Summary summary;
    std::vector<Finding> findings;
    std::vector<std::string> cautions;
    PairClass verdict;
    const Finding* find(std::string_view id) const {
        const auto i =
            std::find_if(findings.begin(), findings.end(), [&](const auto& f) { return f.id == id; });
        return i == findings.end() ? nullptr : &*i;
    }
    double number(std::string_view id, std::string_view key) const {
        if (const Finding* f = find(id))
            for (const auto& [k, v] : f->evidence)
                if (k == key) {
                    if (const auto* whole = std::get_if<std::int64_t>(&v)) return static_cast<double>(*whole);
                    return std::get<double>(v);
                }
        return kNan;
    }
    bool bug() const { return verdict == PairClass::bug; }
    /// Ids of findings that are bugs or unclear, for messages.
    std::string alarms() const {
        std::string out;
        for (const auto& f : findings)
            if (f.kind >= FindingClass::unclear) out += f.id + ": " + f.text + "\n";
        return out;
    }
};

inline Judged judged(const Tensor& reference, const Tensor& candidate, const JudgeContext& context = {}) {
    Judged out;
    out.summary = *scan(reference.view(), candidate.view(), {});
    auto causes = judgePair({reference.view(), candidate.view(), std::nullopt, out.summary, {}, context});
    out.findings = std::move(causes.findings);
    out.cautions = std::move(causes.cautions);
    out.verdict = causes.pairClass;
    return out;
}

inline Tensor as(std::vector<double> values, DType type, Shape shape = {}) {
    return *converted(f64(std::move(values), std::move(shape)), type);
}

template <class F>
std::vector<double> mapped(std::vector<double> v, F&& f) {
    for (double& x : v) x = f(x);
    return v;
}

inline JudgeContext declaring(std::string_view steps, const std::string& op = "") {
    JudgeContext out;
    out.declared = *Declared::parse(steps);
    out.op = *parseOperatorContext(op);
    return out;
}

/// x rounded to a significand of `bits` (the leading one counted), nearest even.
inline double roundedTo(double x, int bits) {
    if (x == 0 || !std::isfinite(x)) return x;
    int e = 0;
    const double m = std::frexp(x, &e);
    return std::ldexp(std::nearbyint(std::ldexp(m, bits)), e - bits);
}

inline std::size_t count(const Shape& shape) {
    return static_cast<std::size_t>(*elementCount(shape));
}

/// A tensor of normal numbers and the same with each element put through `change(index, value)`.
struct Pair {
    Tensor reference, candidate;
};
inline Pair changed(DType type, const Shape& shape, std::uint32_t seed, double scale,
                    const std::function<double(const Index&, double)>& change) {
    const auto r = as(normals(count(shape), seed, scale), type, shape);
    std::vector<double> c(count(shape));
    for (std::size_t i = 0; i < c.size(); ++i) {
        const auto flat = static_cast<std::int64_t>(i);
        c[i] = change(unravel(flat, shape), elementAt(r.view(), flat));
    }
    return {r, as(std::move(c), type, shape)};
}

/// Rounding noise of about an ulp of the type.
inline double jitter(const Index& at, double x, double unit) {
    std::uint64_t h = 1469598103934665603u;
    for (const auto i : at) h = (h ^ static_cast<std::uint64_t>(i)) * 1099511628211u;
    h ^= h >> 31;
    return x * (1 + unit * (static_cast<double>(h % 1001) / 500.0 - 1));
}

} // namespace divdet::test
