#include "plots/fault_rows.h"
#include "gui/theme_pass.h"
#include "plots/pass_text.h"
#include <algorithm>

#include "lower/pass_info.h"

namespace divdet {
namespace {

void fill(FaultRow& row, const Comparison& comparison, const Tolerance& tolerance) {
    const Judgement judgement = judge(comparison, tolerance);
    row.verdict = judgement.verdict;
    row.needsRtol = neededRtolLinked(comparison, tolerance);
    for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
        const TapPair& pair = comparison.pairs[i];
        if (!pair.judged) continue;
        row.over.low += judgement.taps[i].mismatches.low;
        row.over.high += judgement.taps[i].mismatches.high;
        if (!pair.summary) continue;
        row.maxAbs = std::max(row.maxAbs, pair.summary->maxAbs.value);
        row.maxRel = std::max(row.maxRel, pair.summary->maxRel.value);
        row.infiniteRel += pair.summary->infiniteRel;
    }
}

std::size_t placeInList(const std::string& id) {
    static const std::vector<lower::PassInfo> passes = lower::passList();
    const auto found = std::find_if(passes.begin(), passes.end(), [&](const auto& p) { return p.id == id; });
    return static_cast<std::size_t>(found - passes.begin());
}

} // namespace

std::vector<FaultRow> faultRows(const LiveResult& live, const Tolerance& tolerance) {
    std::vector<lower::PassChoice> on = live.request.passes;
    std::stable_sort(on.begin(), on.end(), [](const auto& a, const auto& b) {
        return std::pair(isBug(a), placeInList(a.id)) < std::pair(isBug(b), placeInList(b.id));
    });
    std::vector<FaultRow> rows;
    for (const lower::PassChoice& choice : on) {
        FaultRow row;
        row.id = passId(choice);
        row.variant = variantText(QString::fromStdString(choice.variant));
        row.bug = isBug(choice);
        const auto alone = std::find_if(live.alone.begin(), live.alone.end(), [&](const PassAlone& a) {
            return a.enabled && a.comparison && a.choice == choice;
        });
        row.pending = alone == live.alone.end();
        if (!row.pending) fill(row, *alone->comparison, tolerance);
        rows.push_back(row);
    }
    if (rows.empty()) return rows;
    FaultRow all;
    all.id = allTogetherId;
    all.together = true;
    all.pending = !live.together;
    if (live.together) fill(all, *live.together, tolerance);
    rows.push_back(all);
    return rows;
}

} // namespace divdet
