#include "models/tap_columns.h"
#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace divdet {

TapCell worseCell(const TapCell& a, const TapCell& b) {
    if (!a.compared) return b.compared ? b : a;
    if (!b.compared) return a;
    TapCell out = b.relativeError > a.relativeError || std::isnan(b.relativeError) ? b : a;
    out.verdict = worse(a.verdict, b.verdict);
    return out;
}

std::vector<TapCell> cellsOf(const std::vector<std::string>& taps, const Comparison& comparison,
                             const Judgement* judgement) {
    std::unordered_map<std::string_view, int> places;
    for (std::size_t i = 0; i < comparison.pairs.size(); ++i)
        places.emplace(comparison.pairs[i].name, static_cast<int>(i));
    std::vector<TapCell> out;
    for (const std::string& tap : taps) {
        TapCell cell;
        const auto found = places.find(tap);
        cell.absent = found == places.end();
        if (!cell.absent) {
            cell.tap = found->second;
            const auto i = static_cast<std::size_t>(cell.tap);
            const TapPair& pair = comparison.pairs[i];
            const bool open = judgement && i < judgement->taps.size() && judgement->taps[i].needsRescan;
            cell.compared = !open && (pair.summary || pair.problem || pair.structural != Verdict::within);
            cell.verdict =
                judgement && i < judgement->taps.size() ? judgement->taps[i].verdict : pair.structural;
            if (pair.summary) {
                const Summary& s = *pair.summary;
                cell.relativeError = s.finite < s.elements && s.neverPass(true) > 0 ? INFINITY
                                     : s.rmsReference > 0                           ? s.rms / s.rmsReference
                                     : s.rms > 0                                    ? INFINITY
                                                                                    : 0;
            } else if (cell.compared) {
                cell.relativeError = INFINITY;
            }
        }
        out.push_back(cell);
    }
    return out;
}

std::vector<int> columnStarts(int taps, int columns) {
    const int n = std::clamp(columns, 0, taps);
    std::vector<int> out;
    for (int i = 0; i <= n; ++i)
        out.push_back(n > 0 ? static_cast<int>(static_cast<std::int64_t>(taps) * i / n) : 0);
    return out;
}

double matrixPlace(double relativeError) {
    if (!(relativeError > 0)) return 0;
    if (std::isinf(relativeError)) return 1;
    return std::clamp((std::log10(relativeError) + 8) / 8, 0.0, 1.0);
}

} // namespace divdet
