#include "judge/taps/repeats.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace divdet {
namespace {

std::string stemOf(const std::string& name) {
    std::size_t end = name.size();
    while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1]))) --end;
    if (end == name.size()) return {}; // no number
    while (end > 0 && std::string_view("_.-[ ").find(name[end - 1]) != std::string_view::npos) --end;
    std::string stem = name.substr(0, end);
    std::transform(stem.begin(), stem.end(), stem.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return stem;
}

} // namespace

bool areRepeats(std::span<const std::string> names) {
    if (names.size() < 2) return false;
    const std::string stem = stemOf(names[0]);
    const std::string_view words[] = {"iter", "iteration", "run", "step", "call", "replay", "out", "output"};
    if (std::find(std::begin(words), std::end(words), stem) == std::end(words)) return false;
    return std::all_of(names.begin(), names.end(), [&](const std::string& n) { return stemOf(n) == stem; });
}

} // namespace divdet
