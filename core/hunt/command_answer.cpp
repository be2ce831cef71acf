#include "hunt/command_answer.h"

#include <algorithm>
#include <array>

#include <regex.h>

#include <fmt/format.h>

#include "base/split.h"

namespace divdet::hunt {
namespace {

constexpr int kSkip = 125; ///< as git bisect run has it
constexpr int kNotExecutable = 126, kNotFound = 127;
constexpr std::size_t kLongest = 160; ///< of a line that is shown

std::string cut(std::string line) {
    if (line.size() > kLongest) line = line.substr(0, kLongest) + "…";
    return line;
}

std::string lastLine(const std::string& output) {
    const auto lines = split(output, '\n');
    return lines.empty() ? std::string() : cut(lines.back());
}

std::string endText(int code) {
    if (code == kNotFound) return "the command was not found";
    if (code == kNotExecutable) return "the command cannot be executed";
    if (code > 128 && code <= 192) return fmt::format("ended by signal {} ({})", code - 128, code);
    return fmt::format("ended with {}", code);
}

} // namespace

struct LinePattern::Impl {
    regex_t expression{};
    bool compiled = false;
    ~Impl() {
        if (compiled) regfree(&expression);
    }
};

Result<LinePattern> LinePattern::compile(const std::string& expression) {
    auto impl = std::make_shared<Impl>();
    const int failed = regcomp(&impl->expression, expression.c_str(), REG_EXTENDED | REG_NOSUB);
    if (failed != 0) {
        std::array<char, 200> why{};
        regerror(failed, &impl->expression, why.data(), why.size());
        return Error{ErrorCode::usage,
                     fmt::format("'{}' is no regular expression: {}", expression, why.data()), "--fail-regex",
                     "write it as for grep -E"};
    }
    impl->compiled = true;
    LinePattern out;
    out.m_impl = std::move(impl);
    return out;
}

std::optional<std::string> LinePattern::firstMatch(const std::string& text) const {
    for (const std::string& line : split(text, '\n'))
        if (regexec(&m_impl->expression, line.c_str(), 0, nullptr, 0) == 0) return cut(line);
    return std::nullopt;
}

std::optional<std::string> pythonException(const std::string& output) {
    const auto lines = split(output, '\n');
    const auto start = std::find_if(lines.rbegin(), lines.rend(), [](const std::string& line) {
        return line.find("Traceback (most recent call last)") != std::string::npos;
    });
    if (start == lines.rend()) return std::nullopt;
    // The frames are indented; the exception is the first line after them that is not.
    for (auto it = start.base(); it != lines.end(); ++it)
        if (!it->empty() && it->front() != ' ' && it->front() != '\t') return cut(*it);
    return lastLine(output);
}

Outcome answerOf(const CommandRun& run, const CommandRules& rules) {
    const auto unresolved = [](std::string text) { return Outcome{Answer::unresolved, "", std::move(text)}; };
    if (run.timedOut) return unresolved(fmt::format("took longer than {:.3g} s", run.seconds));
    if (run.code == kSkip) return unresolved("ended with 125");
    if (rules.failPattern)
        if (const auto line = rules.failPattern->firstMatch(run.output))
            return {Answer::bad, "output matches", fmt::format("printed '{}'", *line)};
    if (run.code == 0) return {Answer::good, "", "ended with 0"};
    const std::string end = endText(run.code);
    if (const auto exception = pythonException(run.output))
        return unresolved(fmt::format("{}: Python raised {}", end, *exception));
    const bool bad = std::count(rules.badCodes.begin(), rules.badCodes.end(), run.code) > 0;
    if (bad && !rules.failPattern) return {Answer::bad, fmt::format("exit {}", run.code), end};
    const std::string last = lastLine(run.output);
    return unresolved(last.empty() ? end : fmt::format("{}: {}", end, last));
}

} // namespace divdet::hunt
