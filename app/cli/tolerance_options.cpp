#include <charconv>

#include <fmt/format.h>

#include "cli/cli.h"

namespace divdet::cli {
namespace {

/// The whole text must be a number. `inf` and `nan` are read, so that validate() can say why they are no
/// tolerance.
Result<double> numberOf(const std::string& text, const char* option) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || stop != end || text.empty())
        return Error{ErrorCode::usage, fmt::format("'{}' is not a number", text), option,
                     "write 1e-5 or 0.00001"};
    return value;
}

std::string presetNames() {
    std::string out;
    for (const auto& p : tolerancePresets()) out += (out.empty() ? "" : ", ") + std::string(p.id);
    return out;
}

} // namespace

void addTolerance(CLI::App& verb, ToleranceOptions& o) {
    verb.add_option("--rtol", o.rtol, "Relative tolerance: scales with |reference|")->type_name("X");
    verb.add_option("--atol", o.atol, "Absolute tolerance: in the unit of the tensor")->type_name("X");
    verb.add_option("--rule", o.rule, "What close means: " + ruleNames() + " (divdet help rules)")
        ->type_name("RULE");
    verb.add_option("--preset", o.preset, "A named tolerance: " + presetNames())->type_name("NAME");
    verb.add_flag("--equal-nan", o.equalNan, "NaN equals NaN");
}

void addRuleOptions(CLI::App& verb, ToleranceOptions& o) {
    const char* group = "Rules";
    verb.add_option("--max-mismatch-fraction", o.maxMismatchFraction,
                    "Within, if at most this share of a pair's elements fails")
        ->type_name("F")
        ->group(group);
    verb.add_flag("--infinities-equal", o.infinitiesEqual,
                  "Polygraphy rules: the same infinity on both sides is no error")
        ->group(group);
    verb.add_option("--error-quantile", o.errorQuantile, "polygraphy-quantile: which one (default 0.99)")
        ->type_name("Q")
        ->group(group);
    verb.add_option("--rmse-tol", o.rmseTol,
                    "eager-rmse: passes outright within this tolerance; a tenth of it is the slack (1e-4)")
        ->type_name("X")
        ->group(group);
    verb.add_option("--rmse-k", o.rmseK, "eager-rmse: the multiplier (default: as torch chooses it)")
        ->type_name("K")
        ->group(group);
}

Result<ToleranceOverrides> ToleranceOptions::parse() const {
    ToleranceOverrides t;
    t.equalNan = equalNan;
    if (!preset.empty()) {
        const TolerancePreset* p = findPreset(preset);
        if (!p)
            return Error{ErrorCode::usage, fmt::format("'{}' is no preset", preset), "--preset",
                         "presets are " + presetNames()};
        t.rtol = p->rtol;
        t.atol = p->atol;
        t.rule = p->rule;
    }
    if (!rule.empty()) {
        t.rule = parseRule(rule);
        if (!t.rule)
            return Error{ErrorCode::usage, fmt::format("'{}' is no rule", rule), "--rule",
                         "rules are " + ruleNames()};
    }
    t.options.infinitiesEqual = infinitiesEqual;
    for (auto [given, option, value] :
         {std::tuple{&errorQuantile, "--error-quantile", &t.options.errorQuantile},
          std::tuple{&rmseTol, "--rmse-tol", &t.options.rmseTol},
          std::tuple{&maxMismatchFraction, "--max-mismatch-fraction", &t.options.maxMismatchFraction}}) {
        if (given->empty()) continue;
        auto v = numberOf(*given, option);
        if (!v) return v.error();
        *value = *v;
    }
    if (!rmseK.empty()) {
        auto v = numberOf(rmseK, "--rmse-k");
        if (!v) return v.error();
        t.options.rmseK = *v;
    }
    for (auto [given, option, value] :
         {std::tuple{&rtol, "--rtol", &t.rtol}, std::tuple{&atol, "--atol", &t.atol}}) {
        if (given->empty()) continue;
        auto v = numberOf(*given, option);
        if (!v) return v.error();
        *value = *v;
    }
    if (auto s = validate(t.over({})); !s) return s.error();
    return t;
}

} // namespace divdet::cli
