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
    TolerancePreset{"numpy", "numpy.allclose", Rule::allclose, 1e-5, 1e-8},
    TolerancePreset{"assert_allclose", "numpy.testing.assert_allclose", Rule::allclose, 1e-7, 0.0},
    TolerancePreset{"polygraphy", "Polygraphy, elementwise", Rule::either, 1e-5, 1e-5},
};

} // namespace

std::string_view toString(Rule rule) {
    return rule == Rule::allclose ? "allclose" : "either";
}

std::optional<Rule> parseRule(std::string_view text) {
    if (text == "allclose") return Rule::allclose;
    if (text == "either") return Rule::either;
    return std::nullopt;
}

Status validate(const Tolerance& tolerance) {
    const auto check = [](const char* which, double v) -> Status {
        if (std::isfinite(v) && v >= 0) return Done{};
        return Error{ErrorCode::usage, fmt::format("{} is {}", which, v), fmt::format("--{}", which),
                     "a tolerance is a finite number and not negative, such as 1e-5"};
    };
    if (auto s = check("rtol", tolerance.rtol); !s) return s;
    return check("atol", tolerance.atol);
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
