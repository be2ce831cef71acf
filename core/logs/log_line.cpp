#include "logs/log_line.h"

#include <algorithm>
#include <array>

#include "logs/text_scan.h"

namespace divdet {
namespace {

/// Takes `[…]` with a compile id in it off the front of `s`.
std::string_view takeCompileId(std::string_view& s) {
    if (!s.starts_with('[')) return {};
    const auto end = s.find(']');
    if (end == std::string_view::npos || end > 40) return {};
    const std::string_view id = s.substr(1, end - 1);
    bool slash = false;
    for (const char c : id) {
        slash = slash || c == '/';
        if (!isDigit(c) && c != '/' && c != '_' && c != '-' && c != '!') return {};
    }
    if (!slash) return {};
    s.remove_prefix(end + 1);
    return id;
}

bool isLevel(char c) {
    return c == 'V' || c == 'I' || c == 'W' || c == 'E' || c == 'C';
}

void dropOneSpace(std::string_view& s) {
    if (s.starts_with(' ')) s.remove_prefix(1);
}

/// [rank3]: of torch and [default3]: of torchrun at the front, and the time a container runtime puts there.
void takeOuterMarks(std::string_view& s, int& rank) {
    for (const std::string_view mark : {"[default", "[rank"})
        if (s.starts_with(mark)) {
            std::string_view rest = s.substr(mark.size());
            const auto n = takeNumber(rest);
            if (n && rest.starts_with("]:")) {
                rest.remove_prefix(2);
                dropOneSpace(rest);
                rank = static_cast<int>(*n);
                s = rest;
            }
        }
    if (s.size() > 20 && fits(s, "dddd-dd-ddTdd:dd:dd")) {
        const auto end = s.find(' ');
        if (end < 40) s.remove_prefix(end + 1);
    }
}

/// The rank in what a launcher puts in front of a line: `[rank3]:`, `3: ` of srun, `[1,3]<stderr>:` of
/// mpirun.
int rankOfMark(std::string_view mark) {
    for (const std::string_view open : {"[rank", "[default", "[1,"})
        if (const auto at = mark.find(open); at != std::string_view::npos) {
            std::string_view rest = mark.substr(at + open.size());
            if (const auto n = takeNumber(rest); n && rest.starts_with(']')) return static_cast<int>(*n);
        }
    std::string_view rest = trimmed(mark);
    if (const auto n = takeNumber(rest); n && rest == ":") return static_cast<int>(*n);
    return -1;
}

/// Where in the first part of `s` a prefix of torch starts behind a mark of something else; npos for nowhere.
/// Both forms have a time of day, and that is what it looks for.
std::size_t prefixBehindMark(std::string_view s) {
    constexpr std::size_t longestMark = 120;
    const std::string_view head = s.substr(0, longestMark);
    for (auto at = head.find(':'); at != std::string_view::npos; at = head.find(':', at + 1)) {
        if (at + 6 >= s.size() || s[at + 3] != ':') continue;
        if (s[at + 6] == '.' && at > 8 && fits(s.substr(at - 7), "dddd dd:dd:dd.")) return at - 8;
        if (s[at + 6] == ',' && at > 14 && fits(s.substr(at - 14), "[dddd-dd-dd dd:dd:dd,")) return at - 14;
    }
    return std::string_view::npos;
}

bool parseGlog(std::string_view s, LogLine& out) {
    if (s.size() < 24 || !isLevel(s[0]) || !fits(s.substr(1), "dddd dd:dd:dd.dddddd ")) return false;
    out.time = s.substr(1, 20);
    s.remove_prefix(22);
    std::size_t numberEnd = 0;
    while (numberEnd < s.size() && isDigit(s[numberEnd])) ++numberEnd;
    if (numberEnd == 0 || numberEnd == s.size() || s[numberEnd] != ' ') return false;
    out.process = s.substr(0, numberEnd);
    s.remove_prefix(numberEnd + 1);
    const auto end = s.find(']');
    if (end == std::string_view::npos || s.substr(0, end).find(':') == std::string_view::npos) return false;
    out.origin = s.substr(0, end);
    s.remove_prefix(end + 1);
    dropOneSpace(s);
    if (out.compileId = takeCompileId(s); !out.compileId.empty()) dropOneSpace(s);
    if (s.starts_with("[__"))
        if (const auto close = s.find(']'); close != std::string_view::npos) {
            out.artifact = s.substr(3, close - 3);
            s.remove_prefix(close + 1);
            dropOneSpace(s);
        }
    out.prefix = LogPrefix::glog;
    out.message = s;
    return true;
}

void setLogger(LogLine& out, std::string_view logger) {
    out.origin = logger;
    if (const auto at = logger.rfind(".__"); at != std::string_view::npos)
        out.artifact = logger.substr(at + 3);
}

bool parseBracket(std::string_view s, LogLine& out) {
    if (!fits(s, "[dddd-dd-dd dd:dd:dd,ddd] ")) return false;
    out.time = s.substr(1, 23);
    s.remove_prefix(26);
    if (out.compileId = takeCompileId(s); !out.compileId.empty()) dropOneSpace(s);
    const auto end = s.find(": [");
    if (end == std::string_view::npos || s.substr(0, end).find(' ') != std::string_view::npos) return false;
    setLogger(out, s.substr(0, end));
    const auto close = s.find(']', end);
    if (close == std::string_view::npos) return false;
    s.remove_prefix(close + 1);
    dropOneSpace(s);
    out.prefix = LogPrefix::bracket;
    out.message = s;
    return true;
}

/// LEVEL:logger:text, and pytest's LEVEL    logger:file.py:line text.
bool parseBasic(std::string_view s, LogLine& out) {
    for (const std::string_view level : {"DEBUG", "INFO", "WARNING", "ERROR"}) {
        if (!s.starts_with(level)) continue;
        s.remove_prefix(level.size());
        const bool pytest = s.starts_with(' ');
        s.remove_prefix(std::min(pytest ? s.find_first_not_of(' ') : 1, s.size()));
        const auto end = s.find(':');
        if (!s.starts_with("torch") || end == std::string_view::npos) return false;
        setLogger(out, s.substr(0, end));
        out.prefix = LogPrefix::basic;
        out.message = s.substr(end + 1);
        if (!pytest) return true;
        const auto text = out.message.find(' ');
        if (out.message.substr(0, text).find(".py:") == std::string_view::npos) return false;
        out.message.remove_prefix(std::min(text, out.message.size() - 1) + 1);
        return true;
    }
    return false;
}

bool parseLesson(std::string_view s, LogLine& out) {
    for (const std::string_view mark : {"[graph_breaks]", "[recompiles]"}) {
        if (!s.starts_with(mark)) continue;
        out.prefix = LogPrefix::lesson;
        out.artifact = mark.substr(1, mark.size() - 2);
        out.message = s.substr(mark.size());
        dropOneSpace(out.message);
        return true;
    }
    return false;
}

} // namespace

LogLine parseLogLine(std::string_view line) {
    LogLine out;
    if (line.starts_with('[') || line.starts_with("20")) {
        takeOuterMarks(line, out.rank);
        if (line.starts_with("[rank")) takeOuterMarks(line, out.rank);
    }
    const int rank = out.rank;
    const auto tried = [&](auto parse, std::string_view text, int withRank) {
        if (parse(text, out)) {
            out.rank = withRank;
            return true;
        }
        out = LogLine{};
        return false;
    };
    // The first letter says which forms it may be; most lines of a log are none.
    const char first = line.empty() ? '\0' : line.front();
    if (isLevel(first) && tried(parseGlog, line, rank)) return out;
    if (first == '[' && (tried(parseBracket, line, rank) || tried(parseLesson, line, rank))) return out;
    if ((first == 'D' || isLevel(first)) && tried(parseBasic, line, rank)) return out;
    if (const auto at = prefixBehindMark(line); at != std::string_view::npos) {
        const int marked = rank >= 0 ? rank : rankOfMark(line.substr(0, at));
        if (tried(parseGlog, line.substr(at), marked) || tried(parseBracket, line.substr(at), marked))
            return out;
    }
    out.rank = rank;
    out.message = line;
    return out;
}

std::optional<double> secondsOf(std::string_view time) {
    const bool year = fits(time, "dddd-dd-dd dd:dd:dd,ddd");
    if (!year && !fits(time, "dddd dd:dd:dd.dddddd")) return std::nullopt;
    const auto number = [&](std::size_t at, std::size_t digits) {
        int n = 0;
        for (std::size_t i = at; i < at + digits; ++i) n = n * 10 + (time[i] - '0');
        return n;
    };
    constexpr std::array daysBefore{0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335};
    const int month = number(year ? 5 : 0, 2), day = number(year ? 8 : 2, 2);
    if (month < 1 || month > 12) return std::nullopt;
    const std::size_t clock = year ? 11 : 5;
    const double fraction = year ? number(20, 3) * 1e-3 : number(14, 6) * 1e-6;
    return (daysBefore[static_cast<std::size_t>(month - 1)] + day) * kDaySeconds + number(clock, 2) * 3600.0 +
           number(clock + 3, 2) * 60.0 + number(clock + 6, 2) + fraction;
}

std::string_view withoutColours(std::string_view line, std::string& buffer) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.find('\x1b') == std::string_view::npos) return line;
    buffer.clear();
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] != '\x1b') {
            buffer.push_back(line[i]);
            continue;
        }
        if (i + 1 < line.size() && line[i + 1] == '[') {
            i += 2;
            while (i < line.size() && (line[i] < '@' || line[i] > '~')) ++i;
        }
    }
    return buffer;
}

std::string_view withoutAttempt(std::string_view compileId) {
    return compileId.substr(0, compileId.find('_'));
}

std::string_view frameOf(std::string_view compileId) {
    return compileId.substr(0, compileId.rfind('/'));
}

int attemptOf(std::string_view compileId) {
    const auto at = compileId.find('_');
    if (at == std::string_view::npos) return 0;
    std::string_view rest = compileId.substr(at + 1);
    return static_cast<int>(takeNumber(rest).value_or(0));
}

} // namespace divdet
