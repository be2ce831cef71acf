#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "logs/log_report.h"

namespace divdet {

struct LogOptions {
    std::optional<int> rank; ///< lines of other ranks are counted and left out
};

/// Reads what torch.compile says: text of TORCH_LOGS of torch 2.0 to 2.15 in any of its prefix styles, files
/// of TORCH_TRACE, and pasted parts of both. Streams: bytes in any portions, memory bounded whatever they
/// hold. No input is an error, nothing in it is executed; what is not understood is counted.
class LogReader {
public:
    explicit LogReader(LogOptions options = {});
    ~LogReader();

    void feed(std::string_view bytes);
    void endFile();     ///< the next bytes are of another file
    LogReport finish(); ///< call once

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// A line longer than this is cut and counted as not understood; the longest real ones (metrics of a trace)
/// have some hundred thousand bytes.
inline constexpr std::size_t kLongestLine = std::size_t{4} << 20;

/// Files as one log: paths, folders (their *.log and *.txt files, in the order of their names) and `-` for
/// standard input. Errors: notFound, io, refused (a device), unsupported (compressed, or UTF-16), cancelled.
Result<LogReport> readLogs(const std::vector<std::filesystem::path>& paths, const LogOptions& options,
                           const Progress& progress = {});

/// Text as one log, such as what was pasted. Error: cancelled.
Result<LogReport> readLogText(std::string_view text, const LogOptions& options,
                              const Progress& progress = {});

} // namespace divdet
