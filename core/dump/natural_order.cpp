#include "dump/natural_order.h"

#include <cstddef>

namespace divdet {
namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// The digits at `at` without leading zeros; moves `at` behind them.
std::string_view takeNumber(std::string_view text, std::size_t& at) {
    while (at < text.size() && text[at] == '0') ++at;
    const std::size_t first = at;
    while (at < text.size() && isDigit(text[at])) ++at;
    return text.substr(first, at - first);
}

} // namespace

bool naturalLess(std::string_view a, std::string_view b) {
    std::size_t i = 0, k = 0;
    while (i < a.size() && k < b.size()) {
        if (isDigit(a[i]) && isDigit(b[k])) {
            const std::string_view x = takeNumber(a, i), y = takeNumber(b, k);
            if (x.size() != y.size()) return x.size() < y.size();
            if (x != y) return x < y;
        } else if (a[i] != b[k]) {
            return static_cast<unsigned char>(a[i]) < static_cast<unsigned char>(b[k]);
        } else {
            ++i;
            ++k;
        }
    }
    const std::size_t left = a.size() - i, right = b.size() - k;
    if (left != right && (left == 0 || right == 0)) return left == 0;
    return a < b; // same numbers, other zeros
}

} // namespace divdet
