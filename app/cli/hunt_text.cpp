#include "cli/hunt_text.h"

#include <cstdio>
#include <iostream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace divdet::cli {
namespace {

using hunt::Ending;

std::string namesOf(const std::vector<std::size_t>& items, const hunt::HuntOptions& options) {
    std::vector<std::string> out;
    for (const std::size_t i : items) out.push_back(shown(options.items[i]));
    return fmt::format("{}", fmt::join(out, ", "));
}

std::string culpritText(const hunt::CulpritSet& culprits, const hunt::HuntOptions& options,
                        const std::string& command, const Paint& paint) {
    std::string out =
        paint.verdict(Verdict::outside, "FOUND") + "  " + paint.strong(namesOf(culprits.items, options));
    if (culprits.items.size() > 1) out += "  (only together)";
    out += '\n';
    if (culprits.alone)
        out += fmt::format("  {}: {}\n",
                           options.form == hunt::Form::counter ? "with it, and without what comes later"
                                                               : "with nothing else on",
                           shown(culprits.alone->text));
    else
        out += "  it cannot run with nothing else on; everything on but this is good\n";
    if (!command.empty()) out += "  " + shown(command) + '\n';
    return out;
}

std::string endingText(const hunt::HuntResult& r, const hunt::HuntOptions& options, const Paint& paint) {
    switch (r.ending) {
    case Ending::found:
        return {};
    case Ending::nothingFails:
        return paint.verdict(Verdict::within, "NOTHING FAILS") +
               "  with everything on: " + shown(r.everythingOn.text) + '\n';
    case Ending::baselineFails:
        return paint.verdict(Verdict::inconclusive, "NOT THESE") +
               "  with everything off it is bad too, so the cause is none of the items\n";
    case Ending::unsteady:
        return paint.verdict(Verdict::inconclusive, "UNSTEADY") +
               fmt::format("  the answers vary: with everything on {} of {} runs were bad\n", r.rate.bad,
                           r.rate.bad + r.rate.good);
    case Ending::unresolved:
        break;
    }
    std::string out = paint.verdict(Verdict::inconclusive, "UNRESOLVED");
    if (!r.suspects.empty())
        return out + "  it is one of, or some of: " + namesOf(r.suspects, options) + '\n';
    const bool offIsBroken = r.everythingOff && r.everythingOff->answer == hunt::Answer::unresolved;
    return out + fmt::format("  with everything {}: {}\n", offIsBroken ? "off" : "on",
                             shown(offIsBroken ? r.everythingOff->text : r.everythingOn.text));
}

} // namespace

hunt::HuntEvents storyTeller(bool story) {
    const bool terminal = isatty(STDERR_FILENO);
    if (!story && !terminal) return {};
    return [story, terminal](const hunt::HuntEvent& e) {
        if (terminal) std::fputs("\r\x1b[K", stderr);
        if (story && e.kind != hunt::HuntEvent::Kind::starting) std::cout << shown(e.line) << std::endl;
        if (!terminal || e.kind != hunt::HuntEvent::Kind::starting) return;
        const std::string eta = e.etaSeconds > 0 ? fmt::format(", {:.0f} s", e.etaSeconds) : std::string();
        std::fprintf(stderr, "run %llu, about %llu left%s; suspects %zu to %zu: %s",
                     static_cast<unsigned long long>(e.runs + 1), static_cast<unsigned long long>(e.left),
                     eta.c_str(), e.first + 1, e.last, shown(e.line).substr(0, 60).c_str());
        std::fflush(stderr);
    };
}

void endStory() {
    if (isatty(STDERR_FILENO)) std::fputs("\r\x1b[K", stderr);
}

std::string huntText(const hunt::HuntResult& r, const hunt::HuntOptions& options,
                     const std::vector<std::string>& commands, const Paint& paint) {
    std::string out = "\n";
    for (std::size_t c = 0; c < r.culprits.size(); ++c)
        out += culpritText(r.culprits[c], options, c < commands.size() ? commands[c] : std::string(), paint);
    if (r.ending != Ending::found && r.culprits.empty()) out += endingText(r, options, paint);
    if (r.ending == Ending::found && !r.suspects.empty())
        out += "a further one could not be told apart: " + namesOf(r.suspects, options) + '\n';
    else if (r.more)
        out += "without it everything on is still bad: there is a further one (--all finds it)\n";
    if (!r.steady && r.ending == Ending::found)
        out += fmt::format(
            "the answers vary: with everything on {} of {} runs were bad. Good answers were repeated; "
            "the chance that one of them hid a failure is at most {}\n",
            r.rate.bad, r.rate.bad + r.rate.good, shortNumber(r.missBound));
    return out + fmt::format("{} run{}, {} of them checks; {:.3g} s\n", r.runs, r.runs == 1 ? "" : "s",
                             r.checks, r.seconds);
}

std::string stagesText(const StagesResult& r, const Paint& paint) {
    Table table({{"stage"}, {"answer"}, {"verdict"}, {"class"}, {"first bad"}, {""}});
    for (const StageReading& s : r.stages)
        table.row({s.name, std::string(toString(s.outcome.answer)),
                   s.verdict ? std::string(toString(*s.verdict)) : "-",
                   s.pairClass ? std::string(toString(*s.pairClass)) : "-",
                   s.firstBad.empty() ? "-" : s.firstBad,
                   s.changed ? s.outcome.text : "nothing is changed here"});
    std::string out = table.text() + '\n';
    if (r.first)
        out += paint.verdict(Verdict::outside, "FIRST") + "  " +
               paint.strong(shown(r.stages[*r.first].name)) + ": " + shown(r.meaning) + '\n';
    else
        out +=
            r.sure ? "no stage disagrees with the reference\n" : "no stage that could be judged disagrees\n";
    if (r.first && !r.sure) out += "note: a stage before it is unresolved, so it may have begun there\n";
    for (const auto& n : r.notes) out += "note: " + shown(n) + '\n';
    return out;
}

std::string recipeText(const hunt::Recipe& r) {
    std::string out = fmt::format("{}: {}\n{}\n", r.id, r.title, r.text);
    for (const auto& [name, value] : r.environment) out += fmt::format("  {}={}\n", name, value);
    if (r.form == hunt::Form::counter)
        out += fmt::format("  counts up to {} ({}s); --count N for another number\n", r.count, r.unit);
    else if (r.items.empty())
        out += "  the items are yours: --items FILE\n";
    else
        out += fmt::format("  {} items; --items FILE for your own: {}\n", r.items.size(),
                           fmt::join(r.items, ", "));
    return out + fmt::format("  such as: divdet bisect --recipe {} --cmd '{}'\n  from {}\n", r.id, r.example,
                             r.source);
}

} // namespace divdet::cli
