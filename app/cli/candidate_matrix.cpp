#include "cli/candidate_matrix.h"

#include <algorithm>

#include <fmt/format.h>

namespace divdet::cli {
namespace {

/// Taps in the order of the first candidate that has them.
std::vector<std::string> tapsOf(const std::vector<CandidateColumn>& columns) {
    std::vector<std::string> out;
    for (const auto& c : columns)
        for (const auto& p : c.comparison->pairs)
            if (std::find(out.begin(), out.end(), p.name) == out.end()) out.push_back(p.name);
    return out;
}

const TapVerdict* verdictOf(const CandidateColumn& column, const std::string& tap) {
    const auto& pairs = column.comparison->pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i)
        if (pairs[i].name == tap) return &column.judgement.taps[i];
    return nullptr;
}

std::string cell(const TapVerdict* v) {
    if (!v) return "missing";
    std::string out(toString(v->verdict));
    if (v->verdict != Verdict::outside || info(v->tolerance.rule).wholeTensor) return out;
    return out + ' ' + countText(v->mismatches.high);
}

} // namespace

std::string candidateMatrix(const std::vector<CandidateColumn>& columns, const Paint& paint) {
    std::string out;
    std::vector<Table::Column> heads{{"tap", false}};
    for (std::size_t i = 0; i < columns.size(); ++i) {
        out += fmt::format("({}) {}: {}\n", i + 1, columns[i].name, toString(columns[i].judgement.verdict));
        heads.push_back({fmt::format("({})", i + 1), false});
    }
    Table table(heads);
    const auto taps = tapsOf(columns);
    for (const auto& tap : taps) {
        std::vector<std::string> cells{tap};
        for (const auto& c : columns) cells.push_back(cell(verdictOf(c, tap)));
        table.row(std::move(cells));
    }
    return out + table.text([&](std::size_t row, std::size_t column, const std::string& text) {
        if (column == 0) return text;
        const TapVerdict* v = verdictOf(columns[column - 1], taps[row]);
        return v ? paint.verdict(v->verdict, text) : paint.faint(text);
    });
}

} // namespace divdet::cli
