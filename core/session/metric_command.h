#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "judge/metric/answer.h"

namespace divdet {

/// The user's own evaluation. It is a shell command, so it comes from the command line alone: no file, saved
/// result or report ever fills this in.
struct MetricCommand {
    std::string command; ///< for /bin/sh -c
    std::optional<std::chrono::milliseconds> timeout;
    /// Added to the environment: where the files are that it may evaluate.
    std::vector<std::pair<std::string, std::string>> environment;
};

/// Runs it with nothing on standard input and reads one number per line from standard output; standard error
/// stays the caller's. The command is a process group of its own, and nothing of it is left afterwards: what
/// still runs when the shell ends, at the timeout or when cancelled gets SIGTERM and a second later SIGKILL.
/// Errors: io when it cannot be started; assertion when it ends with other than 0 or by a signal, or takes
/// too long; malformed for a line that is no number, or none at all; cancelled.
Result<CommandScore> runMetricCommand(const MetricCommand& command, const Progress& progress = {});

} // namespace divdet
