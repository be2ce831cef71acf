#include "session/sane/sane_tolerance.h"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_text.h"

namespace divdet {
namespace {

SaneScope scopeOf(const SaneRuns& runs, bool onlyOn, const Tolerance& t) {
    SaneScope out;
    std::vector<const Comparison*> honest, faults;
    for (std::size_t i = 0; i < runs.runs.size(); ++i) {
        const SaneRun& run = runs.runs[i];
        if (run.kind == SaneKind::fault) {
            out.faults.push_back(i);
            faults.push_back(run.comparison.get());
        } else if (run.on || !onlyOn) {
            out.honest.push_back(i);
            honest.push_back(run.comparison.get());
        }
    }
    out.window = saneWindow(honest, faults, t);
    return out;
}

std::string rtolText(double x) {
    return std::isfinite(x) ? "rtol " + shortNumber(x) : "more than any tolerance";
}

std::string honestMost(const SaneRuns& runs, const SaneScope& scope) {
    const auto& most = scope.window.honestMost;
    return most ? nameOf(runs.runs[scope.honest[*most]]) : "honest drift";
}

std::string closedSentence(const SaneRuns& runs, const SaneScope& scope) {
    const SaneWindow& w = scope.window;
    switch (w.state) {
    case SaneWindow::State::open:
        break;
    case SaneWindow::State::noHonestRun:
        return "no drift pass fits this block: there is nothing honest to let pass";
    case SaneWindow::State::noFault:
        return "no bug fits this block: there is nothing to tell apart";
    case SaneWindow::State::honestFails:
        return fmt::format("none: {} passes at no tolerance", honestMost(runs, scope));
    case SaneWindow::State::nothingTested:
        return fmt::format("none: where {} passes (from {} on), a tensor of zeros passes as well",
                           honestMost(runs, scope), rtolText(w.honestNeeds));
    case SaneWindow::State::closed:
        return fmt::format("none: every bug that fits needs no more than {} ({})", honestMost(runs, scope),
                           rtolText(w.honestNeeds));
    }
    return "";
}

std::string boundText(const SaneRuns& runs, const SaneScope& scope, const SaneLine& line) {
    if (line.bound) return nameOf(runs.runs[scope.faults[*line.bound]]) + " passes";
    return line.high < 1 ? "a tensor of zeros passes" : "the range of tolerances ends";
}

std::string pairText(TolerancePair p) {
    return fmt::format("rtol {} atol {}", shortNumber(p.rtol), shortNumber(p.atol));
}

void addLine(std::vector<std::string>& out, const SaneRuns& runs, const SaneScope& scope,
             const SaneLine& line) {
    const auto& faults = scope.window.faults;
    // Which honest run needs most is known of the linked path.
    const std::string honest = line.onPath() ? honestMost(runs, scope) + " passes" : "all honest runs pass";
    out.push_back(fmt::format("from {} ({}) to {} ({}){}", pairText(line.pairAt(line.low)), honest,
                              pairText(line.pairAt(line.high)), boundText(runs, scope, line),
                              line.onPath() ? ", on the linked path" : ""));
    out.push_back(fmt::format("recommended, in the middle: rtol {} atol {}; {} of {} bugs fail there",
                              toleranceText(line.middle.rtol), toleranceText(line.middle.atol), line.caught,
                              faults.size()));
    if (line.high < kNarrow * line.low)
        out.push_back(fmt::format("narrow: the ends are {:.0f} % apart, and other inputs move them",
                                  100 * (line.high / line.low - 1)));
    if (const auto& path = scope.window.path)
        out.push_back(fmt::format("on the linked path rtol {} atol {} catches {} of them",
                                  toleranceText(path->middle.rtol), toleranceText(path->middle.atol),
                                  path->caught));
}

void addMissed(std::vector<std::string>& out, const SaneRuns& runs, const SaneScope& scope) {
    const SaneWindow& w = scope.window;
    std::vector<std::string> never, elsewhere;
    for (std::size_t i = 0; i < w.faults.size(); ++i) {
        if (w.faults[i].separation == Separation::never) never.push_back(missedText(runs, scope, i));
        if (w.faults[i].separation == Separation::elsewhere) elsewhere.push_back(missedText(runs, scope, i));
    }
    if (!never.empty())
        out.push_back(fmt::format("no tolerance separates {}: no more than honest drift needs",
                                  fmt::join(never, ", ")));
    if (!elsewhere.empty())
        out.push_back(fmt::format("told apart only by another tolerance: {}", fmt::join(elsewhere, ", ")));
}

} // namespace

SaneTolerance saneTolerance(const SaneRuns& runs, const Tolerance& tolerance) {
    SaneTolerance out;
    out.rule = {frontierRule(tolerance.rule), 0, 0, tolerance.equalNan, {}};
    out.every = scopeOf(runs, false, out.rule);
    if (SaneScope on = scopeOf(runs, true, out.rule); !on.honest.empty()) out.on = std::move(on);
    return out;
}

std::string missedText(const SaneRuns& runs, const SaneScope& scope, std::size_t fault) {
    const FaultWindow& f = scope.window.faults[fault];
    const std::string name = nameOf(runs.runs[scope.faults[fault]]);
    if (f.separation == Separation::elsewhere && f.witness)
        return fmt::format("{} (at rtol {} it needs atol {}, honest drift {})", name,
                           shortNumber(f.witness->rtol), shortNumber(f.faultAtol), shortNumber(f.honestAtol));
    if (f.needs == 0) return name + " (changes nothing that is judged)";
    return fmt::format("{} (needs {})", name, rtolText(f.needs));
}

std::vector<std::string> saneSentences(const SaneRuns& runs, const SaneScope& scope) {
    const SaneWindow& w = scope.window;
    std::vector<std::string> out;
    if (w.open())
        addLine(out, runs, scope, *w.best);
    else
        out.push_back(closedSentence(runs, scope));
    if (w.state != SaneWindow::State::noHonestRun && w.state != SaneWindow::State::honestFails)
        addMissed(out, runs, scope);
    return out;
}

} // namespace divdet
