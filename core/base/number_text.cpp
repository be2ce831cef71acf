#include "base/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace divdet {
namespace {

/// 9.59e-04 becomes 9.59e-4.
std::string shortExponent(std::string s) {
    const auto e = s.find('e');
    if (e == std::string::npos) return s;
    std::string exponent = s.substr(e + 1);
    const bool minus = exponent[0] == '-';
    exponent.erase(0, exponent.find_first_not_of("+-0"));
    return s.substr(0, e) + 'e' + (minus ? "-" : "") + exponent;
}

/// Shortest text in a format that reads back as x.
std::string shortest(double x, std::chars_format format) {
    char buffer[512];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, x, format).ptr;
    return {buffer, end};
}

} // namespace

std::string shortNumber(double x) {
    if (std::isnan(x)) return "nan";
    if (std::isinf(x)) return x > 0 ? "inf" : "-inf";
    if (x == 0) return "0";
    const double m = std::fabs(x);
    if (m < 0.01 || m >= 10000) return shortExponent(fmt::format("{:.2e}", x));
    const int digits = std::max(0, 2 - static_cast<int>(std::floor(std::log10(m))));
    return fmt::format("{:.{}f}", x, digits);
}

std::string toleranceText(double x) {
    if (!std::isfinite(x) || x == 0) return shortNumber(x);
    const std::string plain = shortest(x, std::chars_format::fixed);
    const std::string exponent = shortExponent(shortest(x, std::chars_format::scientific));
    return plain.size() < exponent.size() ? plain : exponent;
}

std::string countText(std::int64_t n) {
    std::string s = std::to_string(n);
    for (auto i = static_cast<std::ptrdiff_t>(s.size()) - 3; i > (n < 0 ? 1 : 0); i -= 3)
        s.insert(static_cast<std::size_t>(i), ",");
    return s;
}

} // namespace divdet
