#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "hunt/answer.h"
#include "hunt/case.h"

namespace divdet::hunt {

/// Runs cases. The only part of a minimiser that knows how.
class CaseOracle {
public:
    virtual ~CaseOracle() = default;

    /// A fresh run with the passes on, against one without. Errors: cancelled, and what no case could get
    /// round; a case that cannot be run is an Outcome.
    virtual Result<Outcome> ask(const Case& candidate, const Progress& progress) = 0;

    /// Every tap of a run with no pass on. Errors: those of running it.
    virtual Result<run::Taps> record(const Case& candidate, const Progress& progress) = 0;
};

struct MinimiseOptions {
    std::uint64_t maxRuns = 200; ///< of `ask`; then the smallest case so far is the result
    std::uint64_t repeat = 1;    ///< bad runs in a row that accept a case; more where runs may vary
    std::uint64_t checks = 2;    ///< runs of the start and of the smallest case, which have to agree
};

enum class MinimiseEnding : std::uint8_t {
    reduced,     ///< it fails as the start does, and is smaller unless the runs were used up
    irreducible, ///< nothing can be taken away
    notBad,      ///< the start does not fail
    unsteady,    ///< the start or the smallest case fails in some runs only: what was taken may be chance
};
std::string_view toString(MinimiseEnding ending); ///< reduced, irreducible, not-bad, unsteady

struct MinimiseEvent {
    std::string line; ///< of the story; empty: a run is about to start
    std::uint64_t runs = 0, limit = 0;
};
using MinimiseEvents = std::function<void(const MinimiseEvent&)>;

struct MinimiseResult {
    MinimiseEnding ending = MinimiseEnding::notBad;
    Case smallest;
    Outcome before, after; ///< of the first case and of the smallest; the failure is the same
    CaseSize sizeBefore, sizeAfter;
    bool complete = false;  ///< no reduction changes it any more; false: the runs were used up, or cancelled
    bool cancelled = false; ///< the smallest so far, accepted but not checked once more
    std::uint64_t runs = 0; ///< of the oracle, those of repetitions too
    std::uint64_t records = 0; ///< runs without passes, to know the values in the middle
    std::vector<std::string> story;
    double seconds = 0;
};

/// Makes a case that fails smaller while it goes on failing in the same way, by the table of reductions.def,
/// over and over until a whole round changes nothing. Each candidate is run afresh; what is not bad with the
/// very failure of the start, and about as large, is dropped. Start and end are run several times; where they
/// do not agree the result is unsteady, and the start's `before` is a bad run of it. When the start is not
/// bad or unsteady, it is the result, with no story. Errors: usage for senseless options; those of the
/// oracle; cancelled before anything was taken away, later that is the end.
Result<MinimiseResult> minimise(CaseOracle& oracle, const Case& start, const MinimiseOptions& options,
                                const Progress& progress = {}, const MinimiseEvents& events = {});

/// A way to make a case smaller, for lists and help.
struct ReductionInfo {
    std::string id, text;
};
std::vector<ReductionInfo> reductionList(); ///< in the order in which they are tried

} // namespace divdet::hunt
