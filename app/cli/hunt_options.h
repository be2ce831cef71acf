#pragma once
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "hunt/command_oracle.h"
#include "hunt/hunt.h"

namespace divdet::cli {

/// How a hunt is led, as typed.
struct HuntSettings {
    std::string confidence, state;
    int repeat = 3;
    bool strict = false, anyFailure = false, all = false, resume = false;

    Result<hunt::HuntOptions> options() const; ///< without items
};
void addHunt(CLI::App& verb, HuntSettings& settings);

/// The user's command and how its end is read, as typed.
struct CommandSettings {
    std::string command, items, recipe, failRegex, timeout;
    std::vector<int> badCodes;
    std::optional<std::size_t> count;

    /// The command with its items, form and style put into `options`. Errors: usage; of the items' file.
    Result<hunt::HuntCommand> resolve(hunt::HuntOptions& options) const;
};
void addCommand(CLI::App& verb, CommandSettings& settings);

} // namespace divdet::cli
