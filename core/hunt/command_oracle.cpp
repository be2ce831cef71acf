#include "hunt/command_oracle.h"

#include <algorithm>

#include <fmt/format.h>

#include "hunt/file_stamp.h"

namespace divdet::hunt {

CommandOracle::CommandOracle(HuntCommand command, std::vector<std::string> items, Form form)
    : m_command(std::move(command))
    , m_items(std::move(items))
    , m_form(form) {}

Result<CommandOracle> CommandOracle::make(HuntCommand command, std::vector<std::string> items, Form form) {
    const auto& codes = command.rules.badCodes;
    if (std::count(codes.begin(), codes.end(), 0) > 0)
        return Error{ErrorCode::usage, "0 says that a run is good", "--bad-code",
                     "give the codes that say it is bad, or --fail-regex"};
    if (namesItems(command.command)) {
        if (form == Form::counter)
            return Error{ErrorCode::usage, "a counter has no names to disable", "--cmd",
                         "use {n}, or {last} for the index of the last one"};
        for (const std::string& item : items)
            if (!plainForShell(item))
                return Error{ErrorCode::refused,
                             fmt::format("the item '{}' has characters that a shell may read", item), "--cmd",
                             "write \"$DIVDET_DISABLED\" in place of {disabled}"};
    }
    return CommandOracle(std::move(command), std::move(items), form);
}

Result<Outcome> CommandOracle::ask(const ItemSet& on, std::uint64_t, const Progress& progress) {
    SetWords words{"", "", countOn(on)};
    if (m_form == Form::sets) words = wordsOf(on, m_items, m_command.style);
    ShellCommand command{filledIn(m_command.command, words), {}, true, "--cmd"};
    command.environment = {{"DIVDET_DISABLED", words.disabled},
                           {"DIVDET_ENABLED", words.enabled},
                           {"DIVDET_N", fmt::format("{}", words.on)}};
    for (const auto& [name, value] : m_command.environment)
        command.environment.emplace_back(name, filledIn(value, words));
    std::string before;
    if (m_command.judgeDump) {
        waitForFileClock(m_command.dump);
        before = fileStamp(m_command.dump);
    }
    // Only the token: the progress of a command is not told in its own steps.
    const auto run = runShellCommand(command, m_command.timeout, Progress{nullptr, progress.token});
    if (!run) return run.error();
    Outcome outcome = answerOf(*run, m_command.rules);
    if (!m_command.judgeDump) return outcome;
    // The exit code only says whether there is a dump to judge.
    if (run->code != 0 && outcome.answer == Answer::bad && outcome.failure != "output matches")
        outcome = {Answer::unresolved, "", outcome.text + ", so its dump is not judged"};
    return outcome.answer == Answer::good ? judged(before, progress) : outcome;
}

Result<Outcome> CommandOracle::judged(const std::string& stampBefore, const Progress& progress) const {
    const std::string after = fileStamp(m_command.dump);
    if (after.empty())
        return Outcome{Answer::unresolved, "", fmt::format("{} is not there", m_command.dump.string())};
    if (after == stampBefore)
        return Outcome{Answer::unresolved, "",
                       fmt::format("{} was not written by this run", m_command.dump.string())};
    return m_command.judgeDump(progress);
}

} // namespace divdet::hunt
