#include "judge/simple_ratio.h"

#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace divdet {
namespace {

constexpr std::array<std::pair<double, const char*>, 14> kKnown{{{-1, "−1 (the sign is flipped)"},
                                                                 {2, "2"},
                                                                 {0.5, "1/2"},
                                                                 {4, "4"},
                                                                 {0.25, "1/4"},
                                                                 {127.0 / 128, "127/128"},
                                                                 {128.0 / 127, "128/127"},
                                                                 {127.0 / 255, "127/255"},
                                                                 {255.0 / 127, "255/127"},
                                                                 {255.0 / 256, "255/256"},
                                                                 {256.0 / 255, "256/255"},
                                                                 {1.0 / 127, "1/127"},
                                                                 {127, "127"},
                                                                 {1.4426950408889634, "log2(e)"}}};

} // namespace

std::optional<std::string> simpleRatio(double gain, double slack, const Shape& shape) {
    const auto near = [&](double value) { return std::fabs(gain - value) <= slack * std::fabs(value); };
    for (const auto& [value, text] : kKnown)
        if (near(value)) return text;
    for (auto d : shape) {
        if (d < 2) continue;
        const auto n = static_cast<double>(d);
        if (near(std::sqrt(n))) return fmt::format("√{}", d);
        if (near(1 / std::sqrt(n))) return fmt::format("1/√{}", d);
        if (near(n)) return fmt::format("{}", d);
        if (near(1 / n)) return fmt::format("1/{}", d);
    }
    return {};
}

} // namespace divdet
