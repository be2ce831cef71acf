#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "logs/log_line.h"

namespace divdet {

enum class RecordKind : unsigned char {
    recompile,
    graphBreak,
    itemWarning, ///< the warning about Tensor.item that comes beside a graph break
    limit,       ///< a function hit the limit and runs uncompiled from then on
    guards,
    replay, ///< a CUDA graph that was skipped or recorded again
    other,  ///< torch's own line about something else
};

/// The lines of one message of the log, prefixes taken off.
struct LogRecord {
    RecordKind kind = RecordKind::other;
    LogPrefix prefix = LogPrefix::none;
    int rank = -1;
    std::optional<double> seconds; ///< when, as secondsOf says
    std::string compileId, artifact, origin, process;
    std::vector<std::string> lines;                ///< none of guards
    std::int64_t listedGuards = 0, treeGuards = 0; ///< counted as they come: they are many
    std::string guardText;                         ///< their lines, a line feed behind each
    bool guardsCut = false;                        ///< guardText holds not all of them
    std::size_t bytes = 0;                         ///< of the lines
    std::size_t lastText = 0;                      ///< lines up to the last one that is not blank
    bool limitEnded = false;                       ///< the last line of a message about the limit was read
    bool headless = false;                         ///< its first line is not in the log
    bool cut = false;                              ///< longer than kLongestRecord; what follows is left out
};

/// A record of a real log has some hundred lines; more than this keeps the memory bounded.
inline constexpr std::size_t kLongestRecord = std::size_t{1} << 22; // bytes

/// The kind of record that `message` opens; `other` where it opens none. `artifact` is that of its line.
RecordKind openedBy(std::string_view message, std::string_view artifact);

/// The kind of record that `message` belongs to though it does not open it: how a record without its
/// beginning shows itself. `other` where it is none.
RecordKind continues(std::string_view message);

/// Whether `message` begins an error that tells `record` once more, whole.
bool repeats(const LogRecord& record, std::string_view message);

/// Whether a line without a prefix can belong to `record`, by its text.
bool acceptsBare(const LogRecord& record, std::string_view message);

} // namespace divdet
