#include "judge/taps/tap_order.h"

#include <algorithm>

namespace divdet {
namespace {

/// Layers rise along the list, more often than they fall.
bool rises(std::span<const TapName> names, const std::vector<std::size_t>& at) {
    int up = 0, down = 0;
    std::optional<int> last;
    for (const auto i : at) {
        if (!names[i].layer) continue;
        if (last) up += *names[i].layer > *last, down += *names[i].layer < *last;
        last = names[i].layer;
    }
    return up > down;
}

} // namespace

std::vector<std::size_t> executionOrder(std::span<const TapName> names) {
    std::vector<std::size_t> out, gradients;
    for (std::size_t i = 0; i < names.size(); ++i) (names[i].gradient ? gradients : out).push_back(i);
    if (rises(names, gradients)) std::reverse(gradients.begin(), gradients.end());
    out.insert(out.end(), gradients.begin(), gradients.end());
    return out;
}

} // namespace divdet
