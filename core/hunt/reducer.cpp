#include "hunt/reducer.h"

namespace divdet::hunt {

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

Result<Outcome> Reducer::begin() {
    for (std::uint64_t i = 0; i < m_options.repeat; ++i) {
        auto outcome = m_oracle.ask(m_now, Progress{nullptr, m_progress.token});
        if (!outcome) return outcome.error();
        ++m_runs;
        if (i == 0) {
            m_outcome = *outcome;
            m_failure = outcome->failure;
        }
        if (outcome->answer != Answer::bad || outcome->failure != m_failure) return *outcome;
    }
    return m_outcome;
}

Result<bool> Reducer::stillFails(const Case& candidate) {
    for (std::uint64_t i = 0; i < m_options.repeat; ++i) {
        if (m_progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        tell("");
        m_progress(m_runs, m_options.maxRuns);
        auto outcome = m_oracle.ask(candidate, Progress{nullptr, m_progress.token});
        if (!outcome) return outcome.error();
        ++m_runs;
        if (outcome->answer != Answer::bad || outcome->failure != m_failure) return false;
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
