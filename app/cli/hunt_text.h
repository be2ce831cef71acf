#pragma once
#include <string>
#include <vector>

#include "cli/terminal.h"
#include "hunt/hunt.h"
#include "hunt/recipe.h"
#include "session/hunt/find_stage.h"

namespace divdet::cli {

/// The story line by line as it comes, on standard output, and on a terminal what is left on standard error.
hunt::HuntEvents storyTeller(bool story);
void endStory(); ///< clears the line of what is left

/// What the hunt came to; `commands` show each set of culprits alone, where there is one.
std::string huntText(const hunt::HuntResult& result, const hunt::HuntOptions& options,
                     const std::vector<std::string>& commands, const Paint& paint);

std::string stagesText(const StagesResult& stages, const Paint& paint);

std::string recipeText(const hunt::Recipe& recipe);

} // namespace divdet::cli
