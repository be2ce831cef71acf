#include <algorithm>

#include "hunt/reductions/numbers.h"

namespace divdet::hunt::reductions {
namespace {

constexpr std::size_t kRowsTried = 8; ///< a failure that needs one later row keeps all of them

std::size_t rowLength(const block::Value& v) {
    const Shape& shape = v.data->shape();
    return shape.empty() ? 1 : static_cast<std::size_t>(std::max<std::int64_t>(shape.back(), 1));
}

Status keepOneRow(Reducer& reducer, block::ValueIndex value) {
    const std::vector<float> numbers = numbersOf(reducer.now().graph.values[value]);
    const std::size_t length = rowLength(reducer.now().graph.values[value]);
    const std::size_t rows = numbers.size() / length;
    std::vector<std::size_t> filled;
    for (std::size_t r = 0; r < rows; ++r) {
        const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(r * length);
        const auto end = begin + static_cast<std::ptrdiff_t>(length);
        if (std::any_of(begin, end, [](float x) { return x != 0; })) filled.push_back(r);
    }
    if (filled.size() < 2) return Done{};
    for (std::size_t i = 0; i < std::min(filled.size(), kRowsTried); ++i) {
        std::vector<float> one(numbers.size());
        const auto at = static_cast<std::ptrdiff_t>(filled[i] * length);
        std::copy_n(numbers.begin() + at, length, one.begin() + at);
        const auto taken = offerNumbers(reducer, value, one);
        if (!taken) return taken.error();
        if (*taken) break;
    }
    return Done{};
}

} // namespace

Status zeroRows(Reducer& reducer) {
    for (const block::ValueIndex value : leavesOf(reducer.now().graph))
        if (auto s = keepOneRow(reducer, value); !s) return s;
    return Done{};
}

} // namespace divdet::hunt::reductions
