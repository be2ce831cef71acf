#pragma once
#include <string>
#include <string_view>

#include "compare/comparison.h"
#include "hunt/answer.h"

namespace divdet {

/// What makes a run bad that could be compared.
struct BadWhen {
    enum class Kind {
        automatic, ///< settled by the run with everything on: crash, bug, verdict or metric, the first that
                   ///< fits
        verdict,   ///< outside the tolerance
        bug,       ///< the class is bug, whatever the tolerance
        finding,   ///< a finding of this id
        metric,    ///< a limit of the task metric is missed
        crash      ///< the run ends in an error
    } kind = Kind::automatic;
    std::string finding = {};
};

/// `auto`, `verdict`, `bug`, `finding:ID`, `metric`, `crash`. Errors: usage, also for an ID of no finding.
Result<BadWhen> parseBadWhen(const std::string& text);
std::string toString(const BadWhen& bad);

/// What a run that was compared says.
struct ComparedRun {
    const Comparison& comparison;
    const Judgement& judgement;
    bool metricMissed = false;
};

/// Precondition: the kind is settled. The failure is `non-finite` where NaN or an infinity stands on one side
/// of a tap that decides, else `accuracy`, so that a hunt for one does not end at the other.
hunt::Outcome outcomeOf(const ComparedRun& run, const BadWhen& bad);

/// What automatic means, by the run with everything on.
BadWhen settled(const ComparedRun& everythingOn);

} // namespace divdet
