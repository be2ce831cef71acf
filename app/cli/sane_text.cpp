#include "cli/sane_text.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace divdet::cli {
namespace {

std::string kindText(const SaneRun& run) {
    return fmt::format("{}{}", run.kind == SaneKind::fault ? "bug" : "drift", run.on ? ", on" : "");
}

std::string separationText(const SaneScope& scope, std::size_t run) {
    for (std::size_t i = 0; i < scope.faults.size(); ++i)
        if (scope.faults[i] == run) return toString(scope.window.faults[i].separation);
    return "";
}

/// By rising need, so that a window is a gap between lines.
std::string table(const SaneRuns& runs, const SaneTolerance& sane) {
    std::vector<double> needs;
    for (const SaneRun& run : runs.runs) needs.push_back(neededRtolLinked(*run.comparison, sane.rule));
    std::vector<std::size_t> order(runs.runs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return needs[a] < needs[b]; });
    std::vector<Table::Column> columns{{"needs rtol", true}, {"run"}, {"kind"}};
    if (sane.on) columns.push_back({"beside drift on"});
    columns.push_back({"beside every drift"});
    Table out(std::move(columns));
    for (const std::size_t i : order) {
        std::vector<std::string> cells{shortNumber(needs[i]), nameOf(runs.runs[i]), kindText(runs.runs[i])};
        if (sane.on) cells.push_back(separationText(*sane.on, i));
        cells.push_back(separationText(sane.every, i));
        out.row(std::move(cells));
    }
    return out.text();
}

std::string sentences(const SaneRuns& runs, const SaneScope& scope) {
    std::string out;
    for (const std::string& line : saneSentences(runs, scope)) out += "  " + line + '\n';
    return out;
}

} // namespace

std::string saneText(const SaneRuns& runs, const SaneTolerance& sane, const Paint& paint) {
    std::string out = paint.strong("sane tolerance") +
                      ": what each run alone needs, as rtol on the linked path\n" + table(runs, sane);
    if (sane.on) out += "\nwith the drift that is on as honest:\n" + sentences(runs, *sane.on);
    out += "\nwith every drift pass that fits as honest:\n" + sentences(runs, sane.every);
    for (const std::string& note : runs.notes) out += "note: " + note + '\n';
    return out;
}

} // namespace divdet::cli
