#pragma once
#include <memory>
#include <set>
#include <string>

#include "hunt/minimise.h"

namespace divdet::hunt {

/// What a reduction works with: the smallest case so far, and the way to offer a smaller one.
class Reducer {
public:
    Reducer(CaseOracle& oracle, const MinimiseOptions& options, const Progress& progress,
            const MinimiseEvents& events, Case start);

    const Case& now() const { return m_now; }

    /// Runs the start as often as it is checked; afterwards its failure is the one to keep. Unsteady: the
    /// runs do not agree, and `outcome` is that of a bad one. Errors: those of the oracle; cancelled.
    struct Start {
        Outcome outcome;
        bool unsteady = false;
    };
    Result<Start> begin();

    /// Runs now() once more for each check: whether it still fails in the same way. Errors: as of begin().
    Result<bool> check();

    /// Takes a candidate if it still fails in the same way. What cannot be bound, has no pass left, is what
    /// there is already or was refused before is refused without a run, and so is everything once the runs
    /// are used up. Errors: those of the oracle; cancelled.
    Result<bool> offer(Case candidate);

    /// The taps of `now()` with no pass on; good until the next case is taken. Errors: those of the oracle.
    Result<std::shared_ptr<const run::Taps>> recorded();

    /// Not even one more case can be repeated as often as it has to be, and the last one checked.
    bool spent() const { return m_runs + m_options.repeat + m_options.checks - 1 > m_options.maxRuns; }
    std::uint64_t runs() const { return m_runs; }
    std::uint64_t records() const { return m_records; }
    std::uint64_t accepted() const { return m_accepted; }
    const Outcome& outcome() const { return m_outcome; } ///< of now()
    void tell(const std::string& line) const;

private:
    Result<bool> stillFails(const Case& candidate);
    bool isTheFailure(const Outcome& outcome) const;

    CaseOracle& m_oracle;
    const MinimiseOptions& m_options;
    const Progress& m_progress;
    const MinimiseEvents& m_events;
    Case m_now;
    Outcome m_outcome;
    std::string m_failure;
    double m_size = 0;             ///< of the start
    std::set<std::string> m_known; ///< identities of what need not be tried (again)
    std::shared_ptr<const run::Taps> m_recorded;
    std::uint64_t m_runs = 0, m_records = 0, m_accepted = 0;
};

namespace reductions {
#define DIVDET_REDUCTION(function, id, text) Status function(Reducer& reducer);
#include "hunt/reductions.def"
#undef DIVDET_REDUCTION
} // namespace reductions

} // namespace divdet::hunt
