#include "hunt/item_set.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/split.h"

namespace divdet::hunt {
namespace {

std::optional<std::size_t> numberOf(std::string_view text) {
    std::size_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return n;
}

} // namespace

ItemSet allOf(std::size_t items) {
    return ItemSet(items, true);
}

ItemSet noneOf(std::size_t items) {
    return ItemSet(items, false);
}

std::size_t countOn(const ItemSet& set) {
    return static_cast<std::size_t>(std::count(set.begin(), set.end(), true));
}

std::vector<std::size_t> onItems(const ItemSet& set) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < set.size(); ++i)
        if (set[i]) out.push_back(i);
    return out;
}

std::string rangesOf(const ItemSet& set) {
    std::string out;
    for (std::size_t i = 0; i < set.size(); ++i) {
        if (!set[i]) continue;
        std::size_t last = i;
        while (last + 1 < set.size() && set[last + 1]) ++last;
        if (!out.empty()) out += ',';
        out += last == i ? fmt::format("{}", i + 1) : fmt::format("{}-{}", i + 1, last + 1);
        i = last;
    }
    return out.empty() ? "none" : out;
}

std::optional<ItemSet> parseRanges(std::string_view text, std::size_t items) {
    ItemSet out = noneOf(items);
    if (text == "none") return out;
    std::size_t filled = 0; // ranges rise, so that a long text fills no item twice
    for (const std::string& part : split(text, ',')) {
        const auto dash = part.find('-');
        const auto first = numberOf(std::string_view(part).substr(0, dash));
        const auto last =
            dash == std::string::npos ? first : numberOf(std::string_view(part).substr(dash + 1));
        if (!first || !last || *first <= filled || *last < *first || *last > items) return std::nullopt;
        std::fill(out.begin() + static_cast<std::ptrdiff_t>(*first - 1),
                  out.begin() + static_cast<std::ptrdiff_t>(*last), true);
        filled = *last;
    }
    return rangesOf(out) == text ? std::optional(out) : std::nullopt;
}

} // namespace divdet::hunt
