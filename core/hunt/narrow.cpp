#include "hunt/narrow.h"

#include <algorithm>
#include <bit>

namespace divdet::hunt {
namespace {

std::uint64_t questionsFor(std::size_t width) {
    return width < 2 ? 0 : static_cast<std::uint64_t>(std::bit_width(width - 1));
}

/// Places strictly between `low` and `high`, from the middle outwards.
std::vector<std::size_t> outwards(std::size_t low, std::size_t high) {
    const std::size_t middle = low + (high - low) / 2;
    std::vector<std::size_t> out;
    for (std::size_t step = 0; out.size() < high - low - 1; ++step) {
        if (step > 0 && middle > low + step) out.push_back(middle - step);
        if (middle + step < high) out.push_back(middle + step);
    }
    return out;
}

} // namespace

Result<Border> narrow(Asker& asker, std::size_t bad, std::size_t good,
                      const std::function<ItemSet(std::size_t)>& setAt) {
    Border border{bad, good, {}};
    while (!border.exact()) {
        const std::size_t low = std::min(border.bad, border.good), high = std::max(border.bad, border.good);
        asker.suspects(low, high, questionsFor(high - low));
        bool moved = false;
        for (const std::size_t place : outwards(low, high)) {
            const ItemSet set = setAt(place);
            const auto answer = asker.ask(set);
            if (!answer) return answer.error();
            if (*answer == Answer::unresolved) continue;
            if (*answer == Answer::good) border.seenGood.push_back(set);
            (*answer == Answer::bad ? border.bad : border.good) = place;
            moved = true;
            break;
        }
        if (!moved) break;
    }
    return border;
}

} // namespace divdet::hunt
