#include "compare/tolerance.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace divdet {
namespace {

/// torch-<dtype>: the table of torch.testing.assert_close; polygraphy: its command line's defaults.
constexpr std::array kPresets{
    TolerancePreset{"bf16", "usual for bf16", Rule::allclose, 1e-2, 1e-3},
    TolerancePreset{"fp16", "usual for fp16", Rule::allclose, 1e-2, 1e-3},
    TolerancePreset{"fp32", "usual for fp32", Rule::allclose, 1e-5, 1e-8},
    TolerancePreset{"torch-f16", "torch.testing.assert_close, float16", Rule::allclose, 1e-3, 1e-5},
    TolerancePreset{"torch-bf16", "torch.testing.assert_close, bfloat16", Rule::allclose, 1.6e-2, 1e-5},
    TolerancePreset{"torch-f32", "torch.testing.assert_close, float32", Rule::allclose, 1.3e-6, 1e-5},
    TolerancePreset{"torch-f64", "torch.testing.assert_close, float64", Rule::allclose, 1e-7, 1e-7},
    TolerancePreset{"torch-c64", "torch.testing.assert_close, complex64", Rule::allclose, 1.3e-6, 1e-5},
    TolerancePreset{"torch-c128", "torch.testing.assert_close, complex128", Rule::allclose, 1e-7, 1e-7},
    TolerancePreset{"torch-int", "torch.testing.assert_close, integers, bool, fp8", Rule::allclose, 0.0, 0.0},
    TolerancePreset{"numpy", "numpy.allclose", Rule::allclose, 1e-5, 1e-8},
    TolerancePreset{"assert_allclose", "numpy.testing.assert_allclose", Rule::allclose, 1e-7, 0.0},
    TolerancePreset{"polygraphy", "Polygraphy, elementwise", Rule::either, 1e-5, 1e-5},
};

constexpr std::array kRules{
    RuleInfo{Rule::allclose, "allclose", "|c−r| ≤ atol + rtol·|r|", true, false},
    RuleInfo{Rule::either, "either", "|c−r| ≤ atol or ≤ rtol·|r|", true, false},
    RuleInfo{Rule::numpy, "numpy", "as numpy.isclose rounds it", false, false},
    RuleInfo{Rule::torch, "torch", "as torch.isclose rounds it", false, false},
    RuleInfo{Rule::polygraphyElemwise, "polygraphy-elemwise", "|c−r| ≤ atol or |c−r|/|r| ≤ rtol", false,
             false},
    RuleInfo{Rule::polygraphyMax, "polygraphy-max", "largest error ≤ atol, or relative ≤ rtol", false, true},
    RuleInfo{Rule::polygraphyMean, "polygraphy-mean", "mean error ≤ atol, or relative ≤ rtol", false, true},
    RuleInfo{Rule::polygraphyMedian, "polygraphy-median", "median error ≤ atol, or relative ≤ rtol", false,
             true},
    RuleInfo{Rule::polygraphyQuantile, "polygraphy-quantile",
             "quantile of the error ≤ atol, or relative ≤ rtol", false, true},
    RuleInfo{Rule::eagerRmse, "eager-rmse", "rmse(c, fp64) ≤ k·rmse(r, fp64) + tol/10", false, true},
};

} // namespace

std::span<const RuleInfo> ruleList() {
    return kRules;
}

const RuleInfo& info(Rule rule) {
    return kRules[static_cast<std::size_t>(rule)];
}

std::string_view toString(Rule rule) {
    return info(rule).id;
}

std::optional<Rule> parseRule(std::string_view text) {
    for (const auto& r : kRules)
        if (r.id == text) return r.rule;
    return std::nullopt;
}

std::string ruleNames() {
    std::string out;
    for (const auto& r : kRules) out += (out.empty() ? "" : ", ") + std::string(r.id);
    return out;
}

Status validate(const Tolerance& tolerance) {
    const auto check = [](const char* which, double v) -> Status {
        if (std::isfinite(v) && v >= 0) return Done{};
        return Error{ErrorCode::usage, fmt::format("{} is {}", which, v), fmt::format("--{}", which),
                     "a tolerance is a finite number and not negative, such as 1e-5"};
    };
    if (auto s = check("rtol", tolerance.rtol); !s) return s;
    if (auto s = check("atol", tolerance.atol); !s) return s;
    const RuleOptions& o = tolerance.options;
    if (!(o.errorQuantile >= 0 && o.errorQuantile <= 1))
        return Error{ErrorCode::usage, fmt::format("the error quantile is {}", o.errorQuantile),
                     "--error-quantile", "a quantile lies between 0 and 1, such as 0.99"};
    if (!(o.maxMismatchFraction >= 0 && o.maxMismatchFraction <= 1))
        return Error{ErrorCode::usage, fmt::format("the mismatch fraction is {}", o.maxMismatchFraction),
                     "--max-mismatch-fraction", "a fraction lies between 0 and 1, such as 1e-6"};
    if (auto s = check("rmse-tol", o.rmseTol); !s) return s;
    return o.rmseK ? check("rmse-k", *o.rmseK) : Status(Done{});
}

bool passes(const Tolerance& t, double candidate, double reference) {
    if (candidate == reference) return true;
    if (std::isnan(candidate) && std::isnan(reference)) return t.equalNan;
    const double error = std::fabs(candidate - reference);
    if (!std::isfinite(error) || !std::isfinite(reference)) return false;
    return passesFinite(t, error, std::fabs(reference));
}

std::span<const TolerancePreset> tolerancePresets() {
    return kPresets;
}

const TolerancePreset* findPreset(std::string_view id) {
    for (const auto& p : kPresets)
        if (p.id == id) return &p;
    return nullptr;
}

const TolerancePreset& defaultPreset(DType reference, DType candidate) {
    const auto wide = [](DType t) { return t == DType::f32 || t == DType::f64; };
    return *findPreset(wide(reference) && wide(candidate) ? "fp32" : "bf16");
}

double linkedAtol(double rtol) {
    return rtol > 0 ? 1e-3 * std::pow(rtol / 1e-2, 5.0 / 3.0) : 0.0;
}
double linkedRtol(double atol) {
    return atol > 0 ? 1e-2 * std::pow(atol / 1e-3, 3.0 / 5.0) : 0.0;
}

} // namespace divdet
