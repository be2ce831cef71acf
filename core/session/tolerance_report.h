#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.h"

namespace divdet {

struct ToleranceAnswer {
    double rtol, atol; ///< inf where no finite one passes
};

/// What the frontiers of the judged pairs say about tolerances. Every answer is the smallest that passes.
struct ToleranceReport {
    Rule rule = Rule::allclose;
    bool equalNan = false;
    std::vector<ToleranceAnswer> rtolAtAtol; ///< at atol 0 and each power of ten from 1e-9 to 1e-1
    std::vector<ToleranceAnswer> atolAtRtol; ///< at rtol 0 and each power of ten from 1e-7 to 1e-1
    struct PresetAnswer {
        std::string id;
        ToleranceAnswer tolerance;
        Rule rule;
        Verdict verdict;
    };
    std::vector<PresetAnswer> presets;
    /// On the linked path: the smallest pair that passes, and the largest at which a tensor of zeros would
    /// still fail on every judged tap. `tightest` above `loosest`: no sensible tolerance passes.
    std::optional<ToleranceAnswer> tightest, loosest;
};

ToleranceReport reportTolerances(const Comparison& comparison, Rule rule, bool equalNan);

/// `tightest` and `loosest` in words, a line each without a line break at the end.
std::string sensibleText(const ToleranceReport& report);

} // namespace divdet
