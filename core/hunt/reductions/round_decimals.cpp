#include <algorithm>
#include <cmath>

#include "hunt/reductions/numbers.h"

namespace divdet::hunt::reductions {
namespace {

constexpr int kMostDecimals = 4;

std::vector<float> rounded(const std::vector<float>& numbers, int decimals) {
    const double scale = std::pow(10.0, decimals);
    std::vector<float> out;
    for (const float x : numbers)
        out.push_back(static_cast<float>(std::round(static_cast<double>(x) * scale) / scale) + 0.0f);
    return out;
}

Status roundOne(Reducer& reducer, block::ValueIndex value) {
    const std::vector<float> numbers = numbersOf(reducer.now().graph.values[value]);
    if (!std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::isfinite(x); })) return Done{};
    // 0.125 is as plain as 0.1, and plainNumbers would write it back.
    if (std::all_of(numbers.begin(), numbers.end(), isPowerOfTwo)) return Done{};
    for (int decimals = 1; decimals <= kMostDecimals; ++decimals) {
        const std::vector<float> fewer = rounded(numbers, decimals);
        if (fewer == numbers) return Done{}; // it has no more decimals than these
        const auto taken = offerNumbers(reducer, value, fewer);
        if (!taken) return taken.error();
        if (*taken) return Done{};
    }
    return Done{};
}

} // namespace

Status roundDecimals(Reducer& reducer) {
    for (const block::ValueIndex value : leavesOf(reducer.now().graph))
        if (auto s = roundOne(reducer, value); !s) return s;
    return Done{};
}

} // namespace divdet::hunt::reductions
