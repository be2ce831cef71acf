#pragma once
#include <optional>
#include <string>
#include <vector>

#include "logs/guard_reason.h"
#include "logs/log_record.h"

namespace divdet {

/// A place in code as the log prints it.
struct CodePlace {
    std::string file, function;
    int line = 0;
    std::string text() const { return file.empty() ? "" : file + ':' + std::to_string(line); }
};

/// `file.py:40`, with blanks, drive letters and back-slashes in the file; nothing where it is none.
std::optional<CodePlace> parsePlace(std::string_view text);

/// `File "f", line 3, in g`, and `<FrameSummary file f, line 3 in g>`.
std::optional<CodePlace> parseFrame(std::string_view line);

/// A file of torch itself (or of Python): never what the user should change.
bool isFramework(std::string_view file);

/// One recompile.
struct ParsedRecompile {
    CodePlace place; ///< of the function's definition; `function` is its name
    std::vector<GuardReason> reasons;
    bool tuple = false;          ///< one line holding a Python tuple: torch 2.1
    bool idBeforeReason = false; ///< reasons name the graph they belong to: from torch 2.5
};
ParsedRecompile parseRecompile(const LogRecord& record);

/// A function that hit the limit.
struct ParsedLimit {
    CodePlace place;
    std::optional<int> limit;
    std::string option;               ///< such as recompile_limit
    std::vector<GuardReason> reasons; ///< mostly one
    bool plural = false;              ///< `reasons:`, torch 2.0
    bool idBeforeReason = false;      ///< as above
};
ParsedLimit parseLimit(const LogRecord& record);

/// A graph break.
struct ParsedBreak {
    CodePlace place; ///< the user's line where the record has one
    bool inFramework = false;
    bool suppressed = false;   ///< shortened by the log, since the place was printed before
    bool frameSkipped = false; ///< torch gave up the frame whole; it is no break of a graph
    std::string reason;
    std::string code; ///< of the user's line, where the record quotes it
    std::string told; ///< reason, explanation and context: what the kind is read from
};
ParsedBreak parseBreak(const LogRecord& record);

struct ParsedReplay {
    bool skipped = false;
    std::string reason;
};
ParsedReplay parseReplay(const LogRecord& record);

} // namespace divdet
