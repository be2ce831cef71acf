#include "cli/metric_options.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "cli/cancel_on_signal.h"
#include "cli/terminal.h"
#include "session/metric_command.h"

namespace divdet::cli {
namespace {

/// A finite number; `percent` also takes `99 %`-like text with the sign, as a share.
Result<std::optional<double>> numberOf(const std::string& text, const char* option, bool percent) {
    std::optional<double> out;
    if (text.empty()) return out;
    std::string digits = text;
    const bool sign = percent && digits.back() == '%';
    if (sign) digits.pop_back();
    double value = 0;
    const char* end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value);
    if (error != std::errc() || stop != end || !std::isfinite(value))
        return Error{ErrorCode::usage, fmt::format("'{}' is not a number", text), option,
                     percent ? "write 0.99 or 99%" : "write 0.05 or 5e-2"};
    if (sign) value /= 100;
    if (percent && (value < 0 || value > 1))
        return Error{ErrorCode::usage, fmt::format("{} is no share of tokens", text), option,
                     "write 0.99 or 99%"};
    out = value;
    return out;
}

} // namespace

Status MetricOptions::apply(MetricRequest& request) const {
    request.logits = logits;
    request.targets = targets;
    for (auto [text, option, percent, into] :
         {std::tuple{&minTop1, "--min-top1", true, &request.limits.minTop1},
          std::tuple{&minAccuracy, "--min-accuracy", true, &request.limits.minAccuracy},
          std::tuple{&maxKl, "--max-kl", false, &request.limits.maxKl},
          std::tuple{&maxPplDelta, "--max-ppl-delta", false, &request.limits.maxPplDelta}}) {
        auto value = numberOf(*text, option, percent);
        if (!value) return value.error();
        *into = *value;
    }
    for (auto [text, option] :
         {std::pair{&commandMin, "--metric-min"}, std::pair{&timeout, "--metric-timeout"}}) {
        if (!text->empty() && command.empty())
            return Error{ErrorCode::usage, "there is no command whose numbers it could bound", option,
                         "name your evaluation with --metric-cmd CMD"};
        if (auto value = numberOf(*text, option, false); !value) return value.error();
    }
    if (const auto seconds = numberOf(timeout, "--metric-timeout", false);
        *seconds && !(**seconds > 0 && **seconds < 1e9))
        return Error{ErrorCode::usage, fmt::format("{} s is no time to wait", timeout), "--metric-timeout",
                     "write seconds, as 600"};
    return Done{};
}

Status MetricOptions::runCommand(MetricAnswer& answer,
                                 std::vector<std::pair<std::string, std::string>> environment) const {
    if (command.empty()) return Done{};
    MetricCommand run{command, {}, std::move(environment)};
    if (const auto seconds = numberOf(timeout, "--metric-timeout", false); *seconds)
        run.timeout = std::chrono::milliseconds(std::llround(**seconds * 1000));
    Progress progress;
    const CancelOnSignal guard(progress.token);
    auto score = runMetricCommand(run, progress);
    if (!score) return score.error();
    if (const auto least = numberOf(commandMin, "--metric-min", false); *least)
        answer.limits.push_back(outcomeOf("--metric-min", "the command's mean", true, **least, score->mean));
    answer.command = std::move(*score);
    return Done{};
}

void addMetric(CLI::App& verb, MetricOptions& o) {
    const char* group = "Task metric";
    const auto add = [&](const char* name, std::string& into, const char* text, const char* type) {
        verb.add_option(name, into, text)->type_name(type)->group(group);
    };
    add("--logits", o.logits, "The logits, [.., vocabulary] (default: a tap called logits)", "TAP");
    add("--targets", o.targets,
        "The right word of each token; negative: none (default: a tap called targets or labels)", "TAP");
    add("--min-top1", o.minTop1, "Least share of tokens whose guess is the reference's: 0.99 or 99%", "X");
    add("--min-accuracy", o.minAccuracy, "Least share of tokens the candidate guesses right", "X");
    add("--max-kl", o.maxKl, "Largest mean KL(reference || candidate), nats per token", "X");
    add("--max-ppl-delta", o.maxPplDelta, "Largest rise of perplexity over the reference's", "X");
    add("--metric-cmd", o.command,
        "Your own evaluation, run by /bin/sh: a number per line on its standard output is a sample", "CMD");
    add("--metric-min", o.commandMin, "Least mean of those numbers", "X");
    add("--metric-timeout", o.timeout, "Ends the command, and fails, after so many seconds (default: never)",
        "S");
}

} // namespace divdet::cli
