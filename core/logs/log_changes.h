#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "logs/log_report.h"

namespace divdet {

/// One thing that costs time, seen in two logs: before a fix and after it.
struct LogChange {
    enum class Kind : unsigned char { recompile, graphBreak, limit };
    Kind kind = Kind::recompile;
    std::string function, site; ///< site of the log that has it, of the later one where both do; may be empty
    std::string what;           ///< `dynamic-shape of x, dim 0`, a break's reason, `hits the limit of 8`
    std::int64_t before = 0, after = 0; ///< times
};
std::string_view toString(LogChange::Kind kind);

/// What a fix did. Every recompile cause, break and limit of the two logs is in exactly one list.
struct LogChanges {
    std::vector<LogChange> gone;   ///< only before
    std::vector<LogChange> fresh;  ///< only after
    std::vector<LogChange> stayed; ///< in both, more or less often
};

/// Things are the same when function, file and wording agree: lines move when code is edited, so a break is
/// looked for at its own line first and then anywhere in its function. A break of the same kind at the same
/// line is the same too, whatever words another version of torch has for it.
LogChanges changesBetween(const LogReport& before, const LogReport& after);

} // namespace divdet
