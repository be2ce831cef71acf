#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "hunt/hunt.h"
#include "hunt/list_text.h"

namespace divdet::hunt {

/// How a tool is told what to leave out: data of resources/recipes, part of the program. It fills variables
/// and writes lists; the command is always the user's.
struct Recipe {
    std::string id, title, text;
    Form form = Form::sets;
    std::vector<std::string> items; ///< empty: the user gives them with --items (sets)
    std::size_t count = 0;          ///< counter: how many applications to assume
    std::string unit;               ///< counter: what is counted ("lowering")
    ListStyle style;
    std::vector<std::pair<std::string, std::string>> environment; ///< values with {disabled}, {n} …
    std::string example;                                          ///< a command to start from
    std::string source;                                           ///< where the switch is documented
};

/// Every recipe of the program, by id.
const std::vector<Recipe>& recipes();

/// Error: usage, with the nearest id.
Result<Recipe> findRecipe(const std::string& id);

/// A recipe from its JSON text. Errors: malformed, naming what is missing or wrong.
Result<Recipe> parseRecipe(const std::string& json);

/// The items that a hunt with the recipe has: its own, or `count` numbered ones.
std::vector<std::string> itemsOf(const Recipe& recipe);

/// Puts `{inherited}` of a variable's value: what the variable holds already and a space, or nothing.
void inherit(Recipe& recipe);

} // namespace divdet::hunt
