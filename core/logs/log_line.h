#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace divdet {

/// How a line of torch's logging names its origin.
enum class LogPrefix : unsigned char {
    none,    ///< bare text
    bracket, ///< torch 2.0 to 2.2: [date time,ms] [frame/compile] logger: [LEVEL] text
    glog,    ///< from 2.3: VMMDD HH:MM:SS.ffffff number file:line] [frame/compile] [__artifact] text
    basic,   ///< LEVEL:logger:text
    lesson,  ///< [graph_breaks] … and [recompiles] …, the short forms of the lessons
};

/// One line taken apart; every view lies in the line it was parsed from. Fields that the prefix does not have
/// are empty.
struct LogLine {
    LogPrefix prefix = LogPrefix::none;
    int rank = -1;              ///< of [rankN]: or of a launcher's own mark; -1 where there is none
    std::string_view time;      ///< day and time of day, as written
    std::string_view process;   ///< thread or process number
    std::string_view origin;    ///< file:line, or the logger's name
    std::string_view compileId; ///< frame/compile or frame/compile_attempt
    std::string_view artifact;  ///< such as recompiles, without its underscores
    std::string_view message;   ///< the rest, with its indentation
};

/// `time` of a line in seconds from the start of a year that has a 29 February: lines of one log are in
/// order, and no year is needed, which the newer form does not write. Nothing where it is no time.
std::optional<double> secondsOf(std::string_view time);
inline constexpr double kDaySeconds = 86400, kLeapDay = 60 * kDaySeconds; ///< secondsOf 29 February, 0:00

/// Never fails: what has no known prefix is bare text. `line` has no line feed and no colour codes.
LogLine parseLogLine(std::string_view line);

/// `line` without colour codes and a carriage return at its end; uses `buffer` only where it must.
std::string_view withoutColours(std::string_view line, std::string& buffer);

/// frame/compile of a compile id, without the number of the attempt; the attempt (0 where there is none).
std::string_view withoutAttempt(std::string_view compileId);
int attemptOf(std::string_view compileId);

/// The frame of a compile id, which all compiles of one function share: 3 of 3/1, !0/2 of !0/2/1.
std::string_view frameOf(std::string_view compileId);

} // namespace divdet
