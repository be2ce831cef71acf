#include "hunt/asker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace divdet::hunt {
namespace {

/// Runs with everything on from which the rate of failure is taken.
constexpr std::uint64_t kRateRuns = 20;
/// A good answer that takes more runs than this is not waited for.
constexpr std::uint64_t kMostRuns = 1000;
/// Items that a line of the story names; more are counted.
constexpr std::size_t kNamed = 3;

std::string shortRanges(const ItemSet& set) {
    constexpr std::size_t longest = 60;
    std::string text = rangesOf(set), out;
    if (text.size() > longest) {
        text.resize(text.rfind(',', longest));
        text += ",…";
    }
    for (char c : text) out += c == '-' ? std::string("–") : std::string(1, c);
    return out;
}

} // namespace

Asker::Asker(Oracle& oracle, RunLog& log, const HuntOptions& options, const Progress& progress,
             const HuntEvents& events)
    : m_oracle(oracle)
    , m_log(log)
    , m_options(options)
    , m_progress(progress)
    , m_events(events)
    , m_top(allOf(options.items.size()))
    , m_last(options.items.size())
    , m_start(std::chrono::steady_clock::now()) {}

std::uint64_t Asker::repeat() const {
    return m_oracle.varies() ? static_cast<std::uint64_t>(m_options.repeat) : 1;
}

std::uint64_t Asker::inDoubt() const {
    return m_oracle.varies() ? repeat() + 1 : 1;
}

double Asker::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
}

Answer Asker::read(const Outcome& o) const {
    const bool other =
        o.answer == Answer::bad && !m_options.anyFailure && !m_failure.empty() && o.failure != m_failure;
    return other ? Answer::unresolved : o.answer;
}

Asker::Tally Asker::tally(const ItemSet& on) const {
    Tally t;
    for (const Outcome& o : m_log.of(on)) {
        const Answer a = read(o);
        ++(a == Answer::good ? t.good : a == Answer::bad ? t.bad : t.unresolved);
    }
    return t;
}

Result<Outcome> Asker::runOnce(const ItemSet& on) {
    if (m_progress.cancelled()) return Error{ErrorCode::cancelled, "the hunt was cancelled", "", ""};
    tell(describe(on), HuntEvent::Kind::starting);
    if (auto s = m_log.begin(on); !s) return s.error();
    auto outcome = m_oracle.ask(on, m_log.of(on).size(), m_progress);
    if (!outcome) {
        if (auto s = m_log.abandon(); !s) return s.error();
        return outcome.error();
    }
    ++m_runs;
    if (auto s = m_log.end(on, *outcome); !s) return s.error();
    m_progress(m_runs, m_runs + m_questionsLeft, "hunt");
    return outcome;
}

Status Asker::run(const ItemSet& on, std::uint64_t runs) {
    while (m_log.of(on).size() < runs)
        if (auto o = runOnce(on); !o) return o.error();
    return Done{};
}

FailureRate Asker::rate() const {
    const Tally t = tally(m_top);
    return {t.bad, t.good};
}

Status Asker::becomeUnsteady() {
    m_unsteady = true;
    if (m_options.strict)
        return Error{ErrorCode::refused, "the answers vary from run to run", "--strict",
                     "make the runs deterministic, or leave out --strict"};
    if (auto s = run(m_top, kRateRuns); !s) return s;
    tell(fmt::format("the answers vary: with everything on {} of {} runs are bad; good answers are repeated "
                     "from here on",
                     rate().bad, rate().bad + rate().good));
    return Done{};
}

std::uint64_t Asker::goodRunsNeeded(const ItemSet& on) {
    if (!m_unsteady) return m_thorough ? inDoubt() : 1;
    // The bounds 1/(i(i+1)) add up to one, however many good answers there will be.
    const double i =
        static_cast<double>(m_goodAnswers.try_emplace(on, m_goodAnswers.size() + 1).first->second);
    const double allowed = (1 - m_options.confidence) / (i * (i + 1));
    const std::uint64_t runs = runsForMiss(rate(), allowed, kMostRuns);
    m_tooRare = m_tooRare || runs >= kMostRuns;
    return runs;
}

double Asker::missBound() const {
    double sum = 0;
    for (const auto& [on, number] : m_goodAnswers)
        if (const Tally t = tally(on); t.bad == 0) sum += missProbability(rate(), t.good);
    return m_unsteady ? std::min(sum, 1.0) : 0;
}

Result<Answer> Asker::ask(const ItemSet& on) {
    ++m_questions;
    bool ran = false;
    std::optional<Answer> answer;
    while (!answer) {
        const Tally t = tally(on);
        if (t.bad > 0 && t.good > 0 && !m_unsteady)
            if (auto s = becomeUnsteady(); !s) return s.error();
        if (t.bad > 0) {
            answer = Answer::bad;
            break;
        }
        const std::uint64_t needed = goodRunsNeeded(on);
        if (m_tooRare)
            return Error{ErrorCode::refused, "the failure shows too rarely to be hunted", "",
                         "make the runs more alike"};
        // A steady oracle says unresolved once; of an unsteady one the next run may tell.
        if (t.good >= needed)
            answer = Answer::good;
        else if (t.unresolved > 0 && (!m_unsteady || t.runs() >= needed))
            answer = Answer::unresolved;
        if (answer) break;
        if (auto o = runOnce(on); !o) return o.error();
        ran = true;
    }
    if (!ran) ++m_cached;
    const auto told = m_told.find(on);
    if (told == m_told.end() || told->second != *answer)
        tell(answerLine(on, *answer), HuntEvent::Kind::answered, *answer);
    m_told[on] = *answer;
    return *answer;
}

Result<Answer> Asker::confirm(const ItemSet& on) {
    const std::uint64_t before = m_runs;
    const bool wasSteady = !m_unsteady;
    auto answer = ask(on);
    if (wasSteady == !m_unsteady) m_confirmations += m_runs - before; // else the rate was measured too
    return answer;
}

std::string Asker::describe(const ItemSet& on) const {
    const std::size_t n = on.size(), count = countOn(on);
    if (count == n) return "everything on";
    if (count == 0) return "everything off";
    if (m_options.form == Form::counter) return fmt::format("first {} of {} on", count, n);
    const auto named = [&](const ItemSet& set) {
        std::vector<std::string> names;
        for (const std::size_t i : onItems(set)) names.push_back(m_options.items[i]);
        return fmt::format("{}", fmt::join(names, ", "));
    };
    if (count <= kNamed && count < n - count) return "only " + named(on) + " on";
    ItemSet off = on;
    off.flip();
    if (n - count == 1) return "disabled only " + named(off);
    return fmt::format("disabled {} of {}", shortRanges(off), n);
}

std::string Asker::answerLine(const ItemSet& on, Answer answer) const {
    const Tally t = tally(on);
    std::string out = describe(on) + ": ";
    if (answer == Answer::good) out += "good";
    if (answer == Answer::bad) out += countOn(on) == on.size() ? "bad" : "still bad";
    if (answer == Answer::unresolved) {
        const Outcome& last = m_log.of(on).back();
        out += last.answer == Answer::bad ? "unresolved, it fails in another way" : "unresolved";
        if (!last.text.empty()) out += fmt::format(" ({})", last.text);
    }
    if (t.runs() > 1) out += fmt::format(" ({} of {} runs bad)", t.bad, t.runs());
    return out;
}

void Asker::suspects(std::size_t first, std::size_t last, std::uint64_t questionsLeft) {
    m_first = first;
    m_last = last;
    m_questionsLeft = questionsLeft;
}

void Asker::tell(std::string line, HuntEvent::Kind kind, std::optional<Answer> answer) {
    if (kind != HuntEvent::Kind::starting) m_story.push_back(line);
    if (!m_events) return;
    const double each = m_runs ? seconds() / static_cast<double>(m_runs) : 0;
    // Half of the answers are good, and those are the ones that are repeated.
    const double perQuestion =
        m_unsteady ? 1 + static_cast<double>(runsForMiss(rate(), 1 - m_options.confidence, kMostRuns)) / 2
                   : 1;
    const double left = perQuestion * static_cast<double>(m_questionsLeft);
    m_events({kind, std::move(line), m_first, m_last, m_runs, static_cast<std::uint64_t>(left + 0.5),
              seconds(), left * each, answer});
}

} // namespace divdet::hunt
