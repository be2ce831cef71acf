#include "session/metric_command.h"

#include <thread>

#include <fmt/format.h>

#include "base/shell_command.h"
#include "judge/metric/samples.h"

namespace divdet {
namespace {

using Clock = std::chrono::steady_clock;

const char* const kOption = "--metric-cmd";

Status statusOf(int code) {
    if (code == 0) return Done{};
    const std::string what = code > 128 && code <= 192
                                 ? fmt::format("the command was ended by signal {}", code - 128)
                                 : fmt::format("the command ended with {}", code);
    return Error{ErrorCode::assertion, what, kOption, "it must end with 0 when its numbers are good"};
}

} // namespace

Result<CommandScore> runMetricCommand(const MetricCommand& command, const Progress& progress) {
    ShellProcess shell;
    if (auto s = shell.start({command.command, command.environment, false, kOption}); !s) return s.error();
    const auto start = Clock::now();
    MetricSamples samples;
    // A process that the command left behind may hold its output open for ever: the shell's end is the end.
    for (bool open = true; open || !shell.ended();) {
        const bool over = shell.ended().has_value();
        const auto bytes = open ? shell.read() : std::nullopt;
        if (bytes && !bytes->empty())
            if (auto s = samples.take(*bytes); !s) return s.error();
        if (bytes && bytes->empty() && over) break;
        if (!bytes && open)
            open = false;
        else if (!open)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        progress(static_cast<std::uint64_t>(samples.count()), 0, "metric command");
        if (progress.cancelled())
            return Error{ErrorCode::cancelled, "the metric command was cancelled", kOption, ""};
        if (command.timeout && Clock::now() - start > *command.timeout)
            return Error{ErrorCode::assertion,
                         fmt::format("the command took longer than {} s",
                                     std::chrono::duration<double>(*command.timeout).count()),
                         kOption, "raise --metric-timeout, or evaluate fewer samples"};
    }
    if (auto s = statusOf(*shell.ended()); !s) return s.error();
    if (auto s = samples.finish(); !s) return s.error();
    return CommandScore{command.command, samples.count(), samples.mean()};
}

} // namespace divdet
