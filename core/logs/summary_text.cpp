#include "logs/summary_text.h"

#include <array>

#include "logs/text_scan.h"

namespace divdet {
namespace {

/// The cells of `| a | b |`, at most four; a bar inside a reason does not occur.
std::array<std::string_view, 4> cellsOf(std::string_view line) {
    std::array<std::string_view, 4> cells;
    line.remove_prefix(1);
    for (auto& cell : cells) {
        const auto end = line.find('|');
        cell = trimmed(line.substr(0, end));
        if (end == std::string_view::npos) break;
        line.remove_prefix(end + 1);
    }
    return cells;
}

bool readStats(std::string_view line, LogCollector& out) {
    if (!line.starts_with("Stats {")) return false;
    out.sawDialect("tlparse");
    line.remove_prefix(7);
    while (true) {
        const auto colon = line.find(": ");
        if (colon == std::string_view::npos) return true;
        const std::string_view key = trimmed(line.substr(0, colon));
        line.remove_prefix(colon + 2);
        const auto n = takeNumber(line).value_or(0);
        if (key == "other_rank") out.sawOtherRanks(n);
        if (key.starts_with("fail_") && n > 0) out.note("parse-failures", true);
        const auto comma = line.find(", ");
        if (comma == std::string_view::npos) return true;
        line.remove_prefix(comma + 2);
    }
}

} // namespace

bool readSummaryLine(std::string_view line, LogCollector& out) {
    if (readStats(line, out)) return true;
    if (!line.starts_with("| ")) return false;
    const auto cells = cellsOf(line);
    if (cells[0].starts_with("---") || cells[0] == "compile id") return true;
    if (!isDigit(cells[0].empty() ? ' ' : cells[0][0]) || !contains(cells[0], "/") ||
        cells[0].find_first_not_of("0123456789/_") != std::string_view::npos || cells[2].empty())
        return false;
    out.sawDialect("tlparse");
    LogRecord r;
    r.kind = RecordKind::graphBreak;
    r.prefix = LogPrefix::glog;
    r.compileId = cells[0];
    r.lines = {"Graph break in user code at " + std::string(cells[3]),
               "Graph Break Reason: " + std::string(cells[2])};
    out.take(r);
    return true;
}

} // namespace divdet
