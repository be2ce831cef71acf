#include "lower/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace divdet::lower {
namespace {

/// Levenshtein distance, one row at a time.
std::size_t edits(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replace = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replace, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

} // namespace

std::string nearestName(std::string_view wanted, std::span<const std::string> candidates) {
    std::string best;
    std::size_t least = wanted.size() / 2 + 1;
    for (const std::string& c : candidates) {
        const std::size_t n = edits(wanted, c);
        if (n < least) {
            least = n;
            best = c;
        }
    }
    return best;
}

} // namespace divdet::lower
