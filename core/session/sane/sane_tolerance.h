#pragma once
#include <optional>
#include <string>
#include <vector>

#include "compare/sane_window.h"
#include "session/sane/sane_runs.h"

namespace divdet {

/// One choice of what is honest, with the window against all faults.
struct SaneScope {
    std::vector<std::size_t> honest, faults; ///< indices of SaneRuns::runs; faults as in the window
    SaneWindow window;
};

/// Two answers, because they answer two questions.
struct SaneTolerance {
    Tolerance rule;              ///< the rule and NaN setting meant; rtol and atol of no meaning
    SaneScope every;             ///< honest is every drift pass that fits: any compiler's block
    std::optional<SaneScope> on; ///< honest is the drift that is on, alone and together; none: none is on

    /// The one to speak of: the drift that is on, as long as some is.
    const SaneScope& chosen() const { return on ? *on : every; }
};

/// From frontiers alone: no run. A rule without a frontier is answered as allclose.
SaneTolerance saneTolerance(const SaneRuns& runs, const Tolerance& tolerance);

/// In words, a sentence each: the window and what bounds it, the recommendation, which faults it misses and
/// why. Both programs say it so.
std::vector<std::string> saneSentences(const SaneRuns& runs, const SaneScope& scope);

/// A fault that is missed, with its numbers: "wrong-accumulator=fp16 (needs rtol 6.77e-3)".
std::string missedText(const SaneRuns& runs, const SaneScope& scope, std::size_t fault);

} // namespace divdet
