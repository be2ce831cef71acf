#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/shell_command.h"
#include "hunt/answer.h"

namespace divdet::hunt {

/// A POSIX extended regular expression, matched line by line: what `grep -E` takes.
class LinePattern {
public:
    /// Error: usage, with what is wrong with the expression.
    static Result<LinePattern> compile(const std::string& expression);
    /// The first line of the text that it matches; nullopt: none.
    std::optional<std::string> firstMatch(const std::string& text) const;

private:
    struct Impl;
    std::shared_ptr<const Impl> m_impl;
};

/// How a command's end is read.
struct CommandRules {
    std::vector<int> badCodes = {1};
    std::optional<LinePattern> failPattern; ///< a line of the output that means bad, whatever the code
};

/// 0 is good, a bad code is bad, everything else unresolved: 125 by agreement, a timeout, and a Python
/// traceback, which mostly is a mistake of the script and not the failure. With a pattern nothing but a match
/// is bad. The failure is `exit N` or `output matches`.
Outcome answerOf(const CommandRun& run, const CommandRules& rules);

/// The last line of a Python traceback ("ValueError: …"); nullopt: there is none.
std::optional<std::string> pythonException(const std::string& output);

} // namespace divdet::hunt
