#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace divdet {

/// One line of what a graph is guarded on.
struct Guard {
    int depth = 0;      ///< below how many others it stands
    bool check = false; ///< checked at a call; else it leads to what stands below it
    std::string kind;   ///< TENSOR_MATCH, GuardManager …; empty where the log prints the expression alone
    std::string text;   ///< the expression; of a manager the source it guards, L['x']
    std::string access; ///< of a manager: how it gets there and what is there, as printed
    std::string code;   ///< the user's line that it comes from; empty where the log does not quote one
    std::string place;  ///< `file.py:29 in f`, the user's or torch's own, or torch's remark; may be empty
    std::int64_t failures = 0;      ///< recompiles that name it
    std::vector<std::string> fixes; ///< what to do about it, for what made it fail most often first
};

/// What a graph is guarded on: managers, and behind them the guards of what they reach, each one deeper than
/// the line it stands below; or a flat list, as torch printed it up to 2.2.
struct GuardTree {
    std::vector<Guard> guards;
    std::optional<double> evalMicroseconds; ///< for checking all of them once, where the log says so
    bool cut = false;                       ///< the log has more of them than are kept
};

/// Takes the lines of a record of guards, prefixes taken off. Reads any text.
GuardTree parseGuardTree(std::string_view text);

/// What a line of a guards record is: a guard that is checked, in a tree or in a list, or none. Where torch
/// prints a tree, some of its guards stand in front of it once more, as a list or as code: what is in front
/// of a tree counts for nothing.
enum class GuardLine : unsigned char { none, listed, inTree };
GuardLine guardLine(std::string_view line);

/// One of a guard's identities is that of each reason to recompile that names it. `text` is the expression of
/// a guard or the text of a reason, which may have a compile id in front and a comment behind it. Only the
/// start of texts that are longer than any real one counts.
std::string guardIdentity(std::string_view text);

/// As above, of what bareExpression leaves.
std::string expressionIdentity(std::string_view text);

/// As above; of a manager: that of reasons which could not reach what it guards.
std::vector<std::string> guardIdentities(const Guard& guard);

} // namespace divdet
