#pragma once
#include <chrono>
#include <map>

#include "hunt/hunt.h"

namespace divdet::hunt {

/// Asks an oracle, never twice for what is known, and as often as it takes to believe the answer. Tells the
/// story.
class Asker {
public:
    Asker(Oracle& oracle, RunLog& log, const HuntOptions& options, const Progress& progress,
          const HuntEvents& events);

    /// Runs of one set, in the light of the failure that is kept to.
    struct Tally {
        std::uint64_t good = 0, bad = 0, unresolved = 0;
        std::uint64_t runs() const { return good + bad + unresolved; }
    };
    Tally tally(const ItemSet& on) const;

    /// Runs the set until it has `runs` runs, whatever they say. Errors: those of the oracle and the log.
    Status run(const ItemSet& on, std::uint64_t runs);

    /// The answer of a set, from as many runs as the hunt's steadiness asks for. Error `refused` when answers
    /// turn out to vary and that is not allowed.
    Result<Answer> ask(const ItemSet& on);
    /// The same, of what the search came to: its runs count as checks.
    Result<Answer> confirm(const ItemSet& on);

    void keepTo(std::string failure) { m_failure = std::move(failure); }
    const std::string& failure() const { return m_failure; }

    /// The set that is known to be bad and whose rate of failure stands for all.
    void setTop(ItemSet top) { m_top = std::move(top); }
    const ItemSet& top() const { return m_top; }

    /// From here on good answers are repeated, because something does not look like one steady culprit.
    void beThorough() { m_thorough = true; }

    bool unsteady() const { return m_unsteady; }
    bool failsTooRarely() const { return m_tooRare; }
    FailureRate rate() const; ///< of the top set
    double missBound() const;
    Status becomeUnsteady(); ///< and measure the rate

    bool varies() const { return m_oracle.varies(); }
    std::uint64_t repeat() const;  ///< runs of a check
    std::uint64_t inDoubt() const; ///< runs of an answer that much hangs on
    std::uint64_t runs() const { return m_runs; }
    std::uint64_t confirmations() const { return m_confirmations; } ///< of these runs
    std::uint64_t questions() const { return m_questions; }
    std::uint64_t cached() const { return m_cached; }
    std::vector<std::string> story() const { return m_story; }
    double seconds() const;

    void suspects(std::size_t first, std::size_t last, std::uint64_t questionsLeft);
    void tell(std::string line, HuntEvent::Kind kind = HuntEvent::Kind::note,
              std::optional<Answer> answer = std::nullopt);
    std::string describe(const ItemSet& on) const; ///< "disabled 1–6 of 12"
    const HuntOptions& options() const { return m_options; }

private:
    std::uint64_t goodRunsNeeded(const ItemSet& on);
    Result<Outcome> runOnce(const ItemSet& on);
    Answer read(const Outcome& outcome) const;
    std::string answerLine(const ItemSet& on, Answer answer) const;

    Oracle& m_oracle;
    RunLog& m_log;
    const HuntOptions& m_options;
    const Progress& m_progress;
    const HuntEvents& m_events;
    std::string m_failure;
    ItemSet m_top;
    bool m_thorough = false, m_unsteady = false, m_tooRare = false;
    std::map<ItemSet, std::uint64_t> m_goodAnswers; ///< sets believed good, numbered from 1
    std::map<ItemSet, Answer> m_told;               ///< what the story says already
    std::uint64_t m_runs = 0, m_confirmations = 0, m_questions = 0, m_cached = 0, m_questionsLeft = 0;
    std::size_t m_first = 0, m_last = 0;
    std::vector<std::string> m_story;
    std::chrono::steady_clock::time_point m_start;
};

} // namespace divdet::hunt
