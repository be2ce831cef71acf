#include "judge/taps/tap_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace divdet {
namespace {

bool isDigit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Longer numbers are ids, not layers.
constexpr std::size_t kMostDigits = 4;

struct Part {
    std::size_t first = 0, length = 0;
};

std::vector<Part> partsOf(std::string_view name) {
    std::vector<Part> out;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= name.size(); ++i)
        if (i == name.size() || name[i] == '.' || name[i] == '/') {
            if (i > start) out.push_back({start, i - start});
            start = i + 1;
        }
    return out;
}

/// The digits at the end of a part that is nothing but letters, at most one underscore, and those digits.
std::optional<Part> numberAtEnd(std::string_view name, Part part) {
    const auto text = name.substr(part.first, part.length);
    std::size_t at = 0;
    while (at < text.size() && std::isalpha(static_cast<unsigned char>(text[at]))) ++at;
    if (at == 0) return {};
    if (at < text.size() && text[at] == '_') ++at;
    if (at == text.size() || text.size() - at > kMostDigits) return {};
    if (!std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), isDigit)) return {};
    return Part{part.first + at, text.size() - at};
}

std::optional<Part> layerOf(std::string_view name, const std::vector<Part>& parts) {
    for (const Part& p : parts) {
        const auto text = name.substr(p.first, p.length);
        if (text.size() <= kMostDigits && std::all_of(text.begin(), text.end(), isDigit)) return p;
    }
    for (const Part& p : parts)
        if (const auto n = numberAtEnd(name, p)) return n;
    return {};
}

bool saysGradient(std::string_view text) {
    std::string low(text);
    for (char& c : low) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    constexpr auto kWords = std::to_array<std::string_view>(
        {"grad", "grads", "gradient", "gradients", "grad_input", "grad_output", "backward"});
    return std::find(kWords.begin(), kWords.end(), low) != kWords.end() || low.ends_with("_grad");
}

} // namespace

TapName readTapName(std::string_view name) {
    if (const auto colon = name.rfind(':');
        colon != name.npos && colon + 1 < name.size() &&
        std::all_of(name.begin() + static_cast<std::ptrdiff_t>(colon) + 1, name.end(), isDigit))
        name = name.substr(0, colon);
    const auto parts = partsOf(name);
    TapName out;
    out.gradient = std::any_of(parts.begin(), parts.end(),
                               [&](const Part& p) { return saysGradient(name.substr(p.first, p.length)); });
    if (const auto p = layerOf(name, parts)) {
        out.layer = std::stoi(std::string(name.substr(p->first, p->length)));
        out.role =
            std::string(name.substr(0, p->first)) + '*' + std::string(name.substr(p->first + p->length));
    }
    return out;
}

} // namespace divdet
