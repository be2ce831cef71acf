#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace divdet::hunt {

/// Which items of a hunt are on, by index.
using ItemSet = std::vector<bool>;

ItemSet allOf(std::size_t items);
ItemSet noneOf(std::size_t items);
std::size_t countOn(const ItemSet& set);

/// Indices of the items that are on, rising.
std::vector<std::size_t> onItems(const ItemSet& set);

/// Items that are on as people count them, from one: `1-6,9`; `none`.
std::string rangesOf(const ItemSet& set);

/// The set that rangesOf wrote; nullopt for any other text.
std::optional<ItemSet> parseRanges(std::string_view text, std::size_t items);

} // namespace divdet::hunt
