#include "judge/metric/share_text.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/number_text.h"

namespace divdet {
namespace {

int decimals(std::int64_t n) {
    const double digits = std::ceil(std::log10(static_cast<double>(std::max<std::int64_t>(n, 1))));
    return std::clamp(static_cast<int>(digits) - 2, 1, 6);
}

} // namespace

std::string percentText(double share, std::int64_t n) {
    return std::isnan(share) ? "nan" : fmt::format("{:.{}f} %", 100 * share, decimals(n));
}

std::string pointsText(const Estimate& e, std::int64_t n) {
    if (std::isnan(e.value)) return "nan";
    const int digits = decimals(n);
    if (std::isnan(e.error)) return fmt::format("{:.{}f} points", 100 * e.value, digits);
    return fmt::format("{:.{}f} ± {:.{}f} points", 100 * e.value, digits, 100 * e.error, digits);
}

std::string estimateText(const Estimate& e) {
    return std::isnan(e.error) ? shortNumber(e.value) : shortNumber(e.value) + " ± " + shortNumber(e.error);
}

std::string textNotAbove(double x) {
    if (!std::isfinite(x) || x <= 0) return shortNumber(x);
    for (double below = x;; below *= 1 - 1e-3) {
        std::string text = shortNumber(below);
        double shown = 0;
        std::from_chars(text.data(), text.data() + text.size(), shown);
        if (shown <= x) return text;
    }
}

} // namespace divdet
