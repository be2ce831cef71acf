#include "dump/folder_order.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

#include "dump/natural_order.h"

namespace divdet {
namespace {

/// The digits at the end, without leading zeros; empty when there are none.
std::string_view trailingNumber(std::string_view stem) {
    std::size_t first = stem.size();
    while (first > 0 && stem[first - 1] >= '0' && stem[first - 1] <= '9') --first;
    std::string_view digits = stem.substr(first);
    while (digits.size() > 1 && digits[0] == '0') digits.remove_prefix(1);
    return digits;
}

} // namespace

void sortStems(std::vector<std::string>& stems) {
    std::sort(stems.begin(), stems.end(), naturalLess);
    std::set<std::string_view> numbers;
    for (const std::string& s : stems) {
        const auto number = trailingNumber(s);
        if (number.empty() || !numbers.insert(number).second) return;
    }
    std::stable_sort(stems.begin(), stems.end(), [](const std::string& a, const std::string& b) {
        return naturalLess(trailingNumber(a), trailingNumber(b));
    });
}

} // namespace divdet
