#include "hunt/list_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>

#include "base/split.h"

namespace divdet::hunt {
namespace {

constexpr std::size_t kMostItems = 1'000'000;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20;

std::string listOf(const ItemSet& set, bool wanted, const std::vector<std::string>& items,
                   const ListStyle& style) {
    std::string out = style.first;
    for (std::size_t i = 0; i < set.size(); ++i) {
        if (set[i] != wanted) continue;
        if (!out.empty()) out += style.separator;
        out += style.before + items[i] + style.after;
    }
    return out;
}

} // namespace

SetWords wordsOf(const ItemSet& on, const std::vector<std::string>& items, const ListStyle& style) {
    return {listOf(on, false, items, style), listOf(on, true, items, style), countOn(on)};
}

std::string filledIn(std::string_view text, const SetWords& words) {
    const std::pair<std::string_view, std::string> known[] = {
        {"{disabled}", words.disabled},
        {"{enabled}", words.enabled},
        {"{n}", fmt::format("{}", words.on)},
        {"{last}", fmt::format("{}", static_cast<std::int64_t>(words.on) - 1)}};
    std::string out;
    while (!text.empty()) {
        const auto it = std::find_if(std::begin(known), std::end(known),
                                     [&](const auto& k) { return text.starts_with(k.first); });
        if (it == std::end(known)) {
            out += text.front();
            text.remove_prefix(1);
        } else {
            out += it->second;
            text.remove_prefix(it->first.size());
        }
    }
    return out;
}

bool namesItems(std::string_view text) {
    return text.find("{disabled}") != std::string_view::npos ||
           text.find("{enabled}") != std::string_view::npos;
}

bool plainForShell(std::string_view text) {
    return text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_./=@%+,:-") == std::string_view::npos;
}

Result<std::vector<std::string>> readItems(const std::string& file) {
    std::error_code failed;
    const auto bytes = std::filesystem::file_size(file, failed);
    if (failed)
        return Error{ErrorCode::notFound, "there is no such file of items", file, "one item per line"};
    if (bytes > kMostBytes)
        return Error{ErrorCode::refused, "the file of items is larger than 64 MiB", file, "hunt in groups"};
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) return Error{ErrorCode::io, "the file of items cannot be read", file, ""};
    std::vector<std::string> items;
    std::set<std::string> seen;
    for (std::string line : split(text, '\n')) {
        if (line.ends_with('\r')) line.pop_back();
        if (line.empty()) continue;
        if (std::any_of(line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
            return Error{ErrorCode::malformed,
                         fmt::format("item {} has a control character", items.size() + 1), file,
                         "give one item per line of plain text"};
        if (!seen.insert(line).second)
            return Error{ErrorCode::malformed, fmt::format("item {} comes twice: {}", items.size() + 1, line),
                         file, "name each item once"};
        items.push_back(std::move(line));
        if (items.size() > kMostItems)
            return Error{ErrorCode::refused, "there are more than a million items", file, "hunt in groups"};
    }
    if (items.empty()) return Error{ErrorCode::malformed, "the file has no items", file, "one item per line"};
    return items;
}

} // namespace divdet::hunt
