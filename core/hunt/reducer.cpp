#include "hunt/reducer.h"

#include <algorithm>

namespace divdet::hunt {
namespace {

/// An error so much larger than that of the start is another one, whatever its kind: smaller cases have
/// smaller numbers and shorter sums.
constexpr double kMostGrowth = 1000;

} // namespace

Reducer::Reducer(CaseOracle& oracle, const MinimiseOptions& options, const Progress& progress,
                 const MinimiseEvents& events, Case start)
    : m_oracle(oracle)
    , m_options(options)
    , m_progress(progress)
    , m_events(events)
    , m_now(std::move(start)) {
    m_known.insert(identityOf(m_now));
}

void Reducer::tell(const std::string& line) const {
    if (m_events) m_events({line, m_runs, m_options.maxRuns});
}

Result<Reducer::Start> Reducer::begin() {
    Start out;
    for (std::uint64_t i = 0; i < std::max(m_options.repeat, m_options.checks); ++i) {
        if (m_progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        auto outcome = m_oracle.ask(m_now, Progress{nullptr, m_progress.token});
        if (!outcome) return outcome.error();
        ++m_runs;
        const bool differs =
            i > 0 && (outcome->answer != out.outcome.answer || outcome->failure != out.outcome.failure);
        out.unsteady = out.unsteady || differs;
        if (i == 0 || (outcome->answer == Answer::bad && out.outcome.answer != Answer::bad))
            out.outcome = std::move(*outcome);
        if (out.unsteady) break;
        if (out.outcome.answer == Answer::unresolved) break; // to repeat it says no more
    }
    m_outcome = out.outcome;
    m_failure = out.outcome.failure;
    m_size = out.outcome.size;
    return out;
}

bool Reducer::isTheFailure(const Outcome& outcome) const {
    if (outcome.answer != Answer::bad || outcome.failure != m_failure) return false;
    return !(m_size > 0) || outcome.size <= m_size * kMostGrowth;
}

Result<bool> Reducer::check() {
    for (std::uint64_t i = 1; i < m_options.checks; ++i) {
        auto outcome = m_oracle.ask(m_now, Progress{nullptr, m_progress.token});
        if (!outcome) return outcome.error();
        ++m_runs;
        if (!isTheFailure(*outcome)) return false;
    }
    return true;
}

Result<bool> Reducer::stillFails(const Case& candidate) {
    for (std::uint64_t i = 0; i < m_options.repeat; ++i) {
        if (m_progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        tell("");
        m_progress(m_runs, m_options.maxRuns);
        auto outcome = m_oracle.ask(candidate, Progress{nullptr, m_progress.token});
        if (!outcome) return outcome.error();
        ++m_runs;
        if (!isTheFailure(*outcome)) return false;
        if (i + 1 == m_options.repeat) m_outcome = std::move(*outcome);
    }
    return true;
}

Result<bool> Reducer::offer(Case candidate) {
    if (spent()) return false;
    auto fitting = withFittingPasses(std::move(candidate));
    if (!fitting || fitting->passes.empty()) return false;
    if (!m_known.insert(identityOf(*fitting)).second) return false;
    const auto fails = stillFails(*fitting);
    if (!fails) return fails.error();
    if (!*fails) return false;
    m_now = std::move(*fitting);
    m_recorded.reset();
    ++m_accepted;
    return true;
}

Result<std::shared_ptr<const run::Taps>> Reducer::recorded() {
    if (m_recorded) return m_recorded;
    auto taps = m_oracle.record(m_now, Progress{nullptr, m_progress.token});
    if (!taps) return taps.error();
    ++m_records;
    m_recorded = std::make_shared<const run::Taps>(std::move(*taps));
    return m_recorded;
}

} // namespace divdet::hunt
