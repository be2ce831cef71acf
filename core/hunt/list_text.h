#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "hunt/item_set.h"

namespace divdet::hunt {

/// How a list of items is written for a tool: `first`, then each item after `before` and ahead of `after`,
/// all with the separator between them. Layers of TensorRT: first `*:fp16`, after `:fp32`.
struct ListStyle {
    std::string separator = ",", first, before, after;
};

/// What a command can be told of a set.
struct SetWords {
    std::string disabled, enabled; ///< lists; of the form counter without names
    std::size_t on = 0;            ///< {n}: how many are on; {last}: one less
};

SetWords wordsOf(const ItemSet& on, const std::vector<std::string>& items, const ListStyle& style);

/// The template with {disabled}, {enabled}, {n} and {last} filled in; all other text, braces too, stays.
std::string filledIn(std::string_view text, const SetWords& words);

/// Whether a template asks for a list.
bool namesItems(std::string_view text);

/// Whether text means itself to a shell however it is quoted, so that it can stand in a command.
bool plainForShell(std::string_view text);

/// One item per line; empty lines and a carriage return at the end do not count. Errors: notFound, io;
/// refused for more than a million items or 64 MiB; malformed for an item that comes twice, control
/// characters or none at all.
Result<std::vector<std::string>> readItems(const std::string& file);

} // namespace divdet::hunt
