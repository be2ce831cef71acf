#include "base/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace divdet {
namespace {

constexpr std::size_t kLongest = 200; ///< longer names are compared by their ends

std::string_view tail(std::string_view s) {
    return s.size() > kLongest ? s.substr(s.size() - kLongest) : s;
}

/// Insertions, deletions and replacements that turn a into b.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t k = 1; k <= b.size(); ++k) {
            const std::size_t above = row[k];
            row[k] = std::min({above + 1, row[k - 1] + 1, diagonal + (a[i - 1] == b[k - 1] ? 0u : 1u)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace

std::string nearestName(std::string_view wanted, std::span<const std::string> candidates) {
    const std::string* best = nullptr;
    std::size_t bestDistance = 0;
    for (const std::string& c : candidates) {
        const std::size_t distance = editDistance(tail(wanted), tail(c));
        if (distance * 2 > std::max(wanted.size(), c.size())) continue;
        if (!best || distance < bestDistance) {
            best = &c;
            bestDistance = distance;
        }
    }
    return best ? *best : std::string();
}

} // namespace divdet
