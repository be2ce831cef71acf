#include "hunt/hunt.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "hunt/asker.h"
#include "hunt/find_culprits.h"

namespace divdet::hunt {
namespace {

/// How many times the repetitions of a check are run before nothing is said to fail.
constexpr std::uint64_t kDenialRuns = 3;

Status validate(const HuntOptions& o) {
    if (o.items.empty())
        return Error{ErrorCode::usage, "there is nothing to hunt: no items", "", "give at least one item"};
    if (o.repeat < 1)
        return Error{ErrorCode::usage, "a check needs at least one run", "--repeat", "give 1 or more"};
    if (!(o.confidence > 0 && o.confidence < 1))
        return Error{ErrorCode::usage, fmt::format("the confidence is {}", o.confidence), "--confidence",
                     "give a share below 1, such as 0.99"};
    if (o.all && o.form == Form::counter)
        return Error{ErrorCode::usage, "behind the first culprit a counter cannot look", "--all",
                     "leave it out, or hunt with items that can be disabled one by one"};
    return Done{};
}

/// A hunt under way: the steps in order, each of which may end it.
class Hunt {
public:
    Hunt(Oracle& oracle, RunLog& log, const HuntOptions& options, const Progress& progress,
         const HuntEvents& events)
        : m_log(log)
        , m_options(options)
        , m_asker(oracle, log, options, progress, events)
        , m_everything(allOf(options.items.size()))
        , m_nothing(noneOf(options.items.size())) {}

    Result<HuntResult> run() {
        if (m_log.resumedRuns() > 0)
            m_asker.tell(fmt::format(
                "going on after {} run{}{}", m_log.resumedRuns(), m_log.resumedRuns() == 1 ? "" : "s",
                m_log.killedBy().empty() ? std::string()
                                         : ", past the run that ended the program: " + m_log.killedBy()));
        auto status = check();
        if (status && m_result.ending == Ending::found) status = search();
        if (!status && m_asker.failsTooRarely())
            m_result.ending = Ending::unsteady;
        else if (!status && m_asker.unsteady() && status.error().code == ErrorCode::refused)
            m_result.ending = Ending::unsteady;
        else if (!status)
            return withWayOn(status.error());
        return finished();
    }

private:
    /// A cancelled hunt that kept its runs can go on.
    Error withWayOn(Error error) const {
        if (error.code == ErrorCode::cancelled && !m_options.state.path.empty())
            error.hint = "go on with --resume";
        return error;
    }

    static std::string times(std::uint64_t n, const Asker::Tally& t, const std::string& text) {
        return t.runs() == 1 ? fmt::format("({})", text)
                             : fmt::format("({} of {} runs; {})", n, t.runs(), text);
    }

    /// Everything on must be bad, everything off good. Sets the ending to found where the hunt can begin.
    Status check() {
        if (auto s = m_asker.run(m_everything, m_asker.repeat()); !s) return s;
        // Whoever hunts has seen it fail: before that is denied there are more runs.
        const Asker::Tally seen = m_asker.tally(m_everything);
        if (m_asker.varies() && seen.good == seen.runs())
            if (auto s = m_asker.run(m_everything, kDenialRuns * m_asker.repeat()); !s) return s;
        const auto& runs = m_log.of(m_everything);
        m_result.everythingOn = runs.front();
        const auto bad =
            std::find_if(runs.begin(), runs.end(), [](const Outcome& o) { return o.answer == Answer::bad; });
        if (bad == runs.end()) {
            denied();
            return Done{};
        }
        m_asker.keepTo(bad->failure);
        m_result.everythingOn = *bad;
        const Asker::Tally on = m_asker.tally(m_everything);
        m_asker.tell(fmt::format("everything on: bad {}", times(on.bad, on, bad->text)),
                     HuntEvent::Kind::answered, Answer::bad);
        if (on.good > 0)
            if (auto s = m_asker.becomeUnsteady(); !s) return s;
        return checkNothing();
    }

    /// No run with everything on is bad.
    void denied() {
        const Asker::Tally t = m_asker.tally(m_everything);
        const std::string& text = m_log.of(m_everything).back().text;
        m_result.ending = t.unresolved ? Ending::unresolved : Ending::nothingFails;
        m_asker.tell(fmt::format("everything on: {} {}", t.unresolved ? "unresolved" : "good",
                                 times(t.unresolved ? t.unresolved : t.good, t, text)),
                     HuntEvent::Kind::answered, t.unresolved ? Answer::unresolved : Answer::good);
        if (t.unresolved || !m_asker.varies()) return;
        const double shown = 1 - std::pow(1 - m_options.confidence, 1 / static_cast<double>(t.runs()));
        m_asker.tell(fmt::format("a failure that shows in {:.0f} % of the runs or more would have been seen",
                                 100 * shown));
    }

    Status checkNothing() {
        if (auto s = m_asker.run(m_nothing, m_asker.repeat()); !s) return s;
        m_result.everythingOff = m_log.of(m_nothing).front();
        const Asker::Tally off = m_asker.tally(m_nothing);
        if (off.bad > 0 || off.unresolved > 0) {
            m_result.ending = off.bad ? Ending::baselineFails : Ending::unresolved;
            m_asker.tell(
                fmt::format("everything off: {} {}", off.bad ? "bad too" : "unresolved",
                            times(off.bad ? off.bad : off.unresolved, off, m_log.of(m_nothing).back().text)),
                HuntEvent::Kind::answered, off.bad ? Answer::bad : Answer::unresolved);
            return Done{};
        }
        m_result.ending = Ending::found;
        m_asker.tell("everything off: good" +
                         (off.runs() > 1 ? fmt::format(" ({} runs)", off.runs()) : std::string()),
                     HuntEvent::Kind::answered, Answer::good);
        m_result.checks = m_asker.runs();
        return Done{};
    }

    /// Searches until no answer was found to vary on the way, so that every step was made on answers that
    /// were repeated.
    Result<Found> searchOnce() {
        for (;;) {
            const bool unsteady = m_asker.unsteady();
            if (unsteady) {
                const auto off = m_asker.ask(m_nothing);
                if (!off) return off.error();
                if (*off == Answer::bad) {
                    m_result.ending = Ending::baselineFails;
                    return Found{};
                }
            }
            auto found = m_options.form == Form::counter ? findInCounter(m_asker) : findCulprits(m_asker);
            if (!found || m_asker.unsteady() == unsteady) return found;
        }
    }

    Status search() {
        ItemSet top = m_everything;
        for (;;) {
            m_asker.setTop(top);
            const auto found = searchOnce();
            if (!found) return found.error();
            if (m_result.ending == Ending::baselineFails) return Done{};
            if (!found->resolved) {
                m_result.suspects = found->items;
                if (m_result.culprits.empty()) m_result.ending = Ending::unresolved;
                return Done{};
            }
            addCulprits(found->items);
            if (m_options.form == Form::counter) return Done{};
            for (const std::size_t i : found->items) top[i] = false;
            if (countOn(top) == 0) return Done{};
            m_asker.suspects(0, m_options.items.size(), 1);
            const auto rest = m_asker.confirm(top);
            if (!rest) return rest.error();
            m_result.more = *rest == Answer::bad;
            if (!m_result.more || !m_options.all) return Done{};
        }
    }

    void addCulprits(const std::vector<std::size_t>& items) {
        CulpritSet culprits{items, std::nullopt};
        ItemSet on = m_nothing;
        for (const std::size_t i : items) on[i] = true;
        if (m_options.form == Form::counter)
            std::fill(on.begin(), on.begin() + static_cast<std::ptrdiff_t>(items.back()), true);
        for (const Outcome& o : m_log.of(on))
            if (o.answer == Answer::bad) culprits.alone = o;
        m_result.culprits.push_back(std::move(culprits));
    }

    HuntResult finished() {
        m_result.failure = m_asker.failure();
        m_result.steady = !m_asker.unsteady();
        m_result.rate = {m_asker.tally(m_everything).bad, m_asker.tally(m_everything).good};
        m_result.missBound = m_asker.missBound();
        m_result.checks += m_asker.confirmations();
        m_result.runs = m_asker.runs();
        m_result.questions = m_asker.questions();
        m_result.cached = m_asker.cached();
        m_result.story = m_asker.story();
        m_result.seconds = m_asker.seconds();
        return m_result;
    }

    RunLog& m_log;
    const HuntOptions& m_options;
    Asker m_asker;
    ItemSet m_everything, m_nothing;
    HuntResult m_result;
};

} // namespace

std::string_view toString(Ending ending) {
    switch (ending) {
    case Ending::found:
        return "found";
    case Ending::nothingFails:
        return "nothing-fails";
    case Ending::baselineFails:
        return "baseline-fails";
    case Ending::unsteady:
        return "unsteady";
    case Ending::unresolved:
        break;
    }
    return "unresolved";
}

Result<HuntResult> hunt(Oracle& oracle, const HuntOptions& options, const Progress& progress,
                        const HuntEvents& events) {
    if (auto s = validate(options); !s) return s.error();
    auto log = RunLog::open(options.state, options.items.size());
    if (!log) return log.error();
    return Hunt(oracle, *log, options, progress, events).run();
}

} // namespace divdet::hunt
