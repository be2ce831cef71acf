#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "hunt/miss_bound.h"
#include "hunt/oracle.h"
#include "hunt/run_log.h"

namespace divdet::hunt {

/// What can be switched. `sets`: any items on; `counter`: only the first n of them, as tools with a switch
/// for the largest number of applications have it.
enum class Form : std::uint8_t { sets, counter };

struct HuntOptions {
    std::vector<std::string> items; ///< names, for the story
    Form form = Form::sets;
    /// Runs with everything on, and with everything off, where runs may vary; three times as many before
    /// everything on is said to be good.
    int repeat = 3;
    double confidence = 0.99; ///< of an unsteady hunt
    bool strict = false;      ///< refuse an unsteady oracle
    bool anyFailure = false;  ///< a failure of another kind counts as well
    bool all = false;         ///< go on for further culprits beside the first ones (sets)
    StateFile state;
};

/// What happens, as it happens.
struct HuntEvent {
    enum class Kind : std::uint8_t { starting, answered, note } kind = Kind::note;
    std::string line;                   ///< of the story: "disabled 1–6 of 12: still bad"
    std::size_t first = 0, last = 0;    ///< suspects: items first to last - 1
    std::uint64_t runs = 0, left = 0;   ///< runs done; runs that are probably left
    double seconds = 0, etaSeconds = 0; ///< eta: 0 before the first run has ended
    std::optional<Answer> answer = {};  ///< of the set that `line` is about, where it is about one
};
using HuntEvents = std::function<void(const HuntEvent&)>;

enum class Ending : std::uint8_t {
    found,
    nothingFails,  ///< everything on is good
    baselineFails, ///< everything off is bad too: the cause is none of the items
    unsteady,      ///< the answers vary, and that was refused, or they fail too rarely
    unresolved     ///< the answers that would tell could not be had
};
std::string_view toString(Ending ending); ///< found, nothing-fails, baseline-fails, unsteady, unresolved

/// Items that fail together and of which none can be left out.
struct CulpritSet {
    std::vector<std::size_t> items; ///< rising
    /// A bad run with nothing but these on (counter: with all up to the last one). None: that cannot run, but
    /// leaving out any of them helps, which leaving out others does not.
    std::optional<Outcome> alone;
};

struct HuntResult {
    Ending ending = Ending::unresolved;
    std::vector<CulpritSet> culprits;     ///< one, unless all were asked for
    std::vector<std::size_t> suspects;    ///< unresolved: the items that it comes down to
    bool more = false;                    ///< without the culprits it is still bad
    std::string failure;                  ///< the kind that was kept to
    Outcome everythingOn;                 ///< the first bad run, or the first run
    std::optional<Outcome> everythingOff; ///< none: it did not come to that
    FailureRate rate;                     ///< of everything on
    bool steady = true;
    double missBound = 0; ///< unsteady: the chance that some good answer was a failure that did not show
    /// checks: the runs of these before the search, and those that confirm what it came to (the culprits
    /// alone, and everything else)
    std::uint64_t runs = 0, checks = 0, questions = 0, cached = 0;
    std::vector<std::string> story;
    double seconds = 0;
};

/// Finds which items make a run bad. First everything on must be bad and everything off good, each repeated.
/// One culprit takes at most ceil(log2 n) runs of search; k that only fail together about k times as many;
/// the result is then made 1-minimal by delta debugging, which also takes over where answers are unresolved.
///
/// Where answers vary (one set was both good and bad), a bad run is taken as proof and a good answer is
/// repeated until the chance of having missed a failure, summed over all good answers, is at most
/// 1 - confidence, given the rate of failure with everything on.
///
/// Errors: usage for fewer than one item or senseless options; those of the oracle and of the state file;
/// cancelled.
Result<HuntResult> hunt(Oracle& oracle, const HuntOptions& options, const Progress& progress = {},
                        const HuntEvents& events = {});

} // namespace divdet::hunt
