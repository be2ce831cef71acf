#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "compare/rules/outcome.h"

#include "base/progress.h"

namespace divdet {

/// A rule that answers otherwise than the one that judged, at the same rtol and atol, and an element that
/// decides it: where one of the two rules passes and the other fails.
struct RuleDisagreement {
    Rule rule = Rule::allclose; ///< the other rule
    bool passes = false;        ///< its answer; the judging rule gave the opposite
    std::int64_t index = -1;    ///< flat; -1: none on its own (a rule over the whole tensor judged)
    double reference = 0, candidate = 0;
    double error = 0, bound = 0;             ///< under the other rule
    double judgedError = 0, judgedBound = 0; ///< under the rule that judged
};

struct RulePeers {
    Tolerance tolerance; ///< what was judged, and the rtol and atol of the others
    std::vector<RuleDisagreement> disagreeing;
};

/// Which of allclose, either, numpy, torch (one dtype) and polygraphy-elemwise answer otherwise than
/// `passes`, the answer of tolerance.rule. The frontier tells where rounding of a bound cannot matter;
/// elements are read only where it can, and where a disagreement needs its element.
Result<RulePeers> disagreeingRules(const RuleInput& input, const Summary& summary, const Tolerance& tolerance,
                                   bool passes, const Progress& progress = {});

} // namespace divdet
