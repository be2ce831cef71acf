#include "cli/candidate_matrix.h"

#include <unordered_map>

#include <fmt/format.h>

namespace divdet::cli {
namespace {

struct Row {
    std::string tap;
    std::vector<const TapVerdict*> verdicts; ///< one per candidate; null: it has no such tap
};

/// Taps in the order of the first candidate that has them; of one name in a candidate the first counts.
std::vector<Row> rowsOf(const std::vector<CandidateColumn>& columns) {
    std::vector<Row> rows;
    std::unordered_map<std::string_view, std::size_t> at; // names live in the comparisons
    for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto& pairs = columns[c].comparison->pairs;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto [slot, fresh] = at.try_emplace(pairs[i].name, rows.size());
            if (fresh) rows.push_back({pairs[i].name, std::vector<const TapVerdict*>(columns.size())});
            const TapVerdict*& verdict = rows[slot->second].verdicts[c];
            if (!verdict) verdict = &columns[c].judgement.taps[i];
        }
    }
    return rows;
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
        out += fmt::format("({}) {}: {}\n", i + 1, shown(columns[i].name),
                           toString(columns[i].judgement.verdict));
        heads.push_back({fmt::format("({})", i + 1), false});
    }
    Table table(heads);
    const auto rows = rowsOf(columns);
    for (const Row& row : rows) {
        std::vector<std::string> cells{row.tap};
        for (const TapVerdict* v : row.verdicts) cells.push_back(cell(v));
        table.row(std::move(cells));
    }
    return out + table.text([&](std::size_t row, std::size_t column, const std::string& text) {
        if (column == 0) return text;
        const TapVerdict* v = rows[row].verdicts[column - 1];
        return v ? paint.verdict(v->verdict, text) : paint.faint(text);
    });
}

} // namespace divdet::cli
