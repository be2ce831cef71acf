#pragma once
#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hunt/command_answer.h"
#include "hunt/hunt.h"
#include "hunt/list_text.h"

namespace divdet::hunt {

/// A user's command that is run once per set. What it is told: DIVDET_DISABLED and DIVDET_ENABLED (lists),
/// DIVDET_N (how many are on), and the same as {disabled}, {enabled}, {n} and {last} (n - 1) in its text.
struct HuntCommand {
    std::string command; ///< for /bin/sh -c, from the command line alone
    std::optional<std::chrono::milliseconds> timeout;
    CommandRules rules;
    ListStyle style;
    /// Further variables, with the same words in their values (recipes).
    std::vector<std::pair<std::string, std::string>> environment;

    /// The dump that a run writes, and who judges it once the command has ended with 0. Empty: the exit code
    /// is the answer.
    std::filesystem::path dump;
    std::function<Result<Outcome>(const Progress&)> judgeDump;
};

/// Asks by running the command. A run that does not write its dump anew is unresolved: what lies there is
/// another run's.
class CommandOracle : public Oracle {
public:
    /// Errors: usage for a bad code of 0; refused for a command with {disabled} or {enabled} in its text and
    /// an item that a shell might read as more than a name.
    static Result<CommandOracle> make(HuntCommand command, std::vector<std::string> items, Form form);

    Result<Outcome> ask(const ItemSet& on, std::uint64_t repetition, const Progress& progress) override;

private:
    CommandOracle(HuntCommand command, std::vector<std::string> items, Form form);
    Result<Outcome> judged(const std::string& stampBefore, const Progress& progress) const;

    HuntCommand m_command;
    std::vector<std::string> m_items;
    Form m_form;
};

} // namespace divdet::hunt
