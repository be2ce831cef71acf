#include "session/hunt/hunt_command.h"

#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/sha256.h"
#include "session/make_report.h"

namespace divdet {
namespace {

/// A dump that cannot be compared says nothing of the items, so the hunt goes on; only words of the user that
/// make no sense end it.
Result<hunt::Outcome> judgedDump(Session& session, const CompareRequest& request, const BadWhen& bad,
                                 const Progress& progress) {
    const auto result = compareDumps(session, request, Progress{nullptr, progress.token});
    if (!result) {
        const ErrorCode code = result.error().code;
        if (code == ErrorCode::cancelled || code == ErrorCode::usage) return result.error();
        return hunt::Outcome{hunt::Answer::unresolved, "", result.error().text()};
    }
    const Judgement judgement = judge(*(*result)->comparison, (*result)->tolerance);
    return outcomeOf({*(*result)->comparison, judgement, metricAnswer(**result).missed()}, bad);
}

std::string fingerprintOf(const CommandHuntRequest& request) {
    std::string what = request.command.command + '\n';
    for (const std::string& item : request.options.items) what += item + '\n';
    for (const auto& [name, value] : request.command.environment) what += name + '=' + value + '\n';
    what += fmt::format("{} {}\n", static_cast<int>(request.options.form),
                        fmt::join(request.command.rules.badCodes, ","));
    if (request.compare)
        what += commandLine(*request.compare, request.compare->tolerance.value_or(Tolerance{})) + '\n' +
                toString(request.bad);
    return sha256(std::as_bytes(std::span(what)));
}

} // namespace

Result<CommandHunt> huntCommand(Session& session, const CommandHuntRequest& request, const Progress& progress,
                                const hunt::HuntEvents& events) {
    CommandHunt out{request, {}};
    if (request.compare) {
        if (request.bad.kind == BadWhen::Kind::crash)
            return Error{ErrorCode::usage, "a dump does not crash", "--bad-when",
                         "leave out --compare, and the exit code is the answer"};
        if (request.bad.kind == BadWhen::Kind::automatic) out.request.bad = {BadWhen::Kind::verdict};
        std::error_code failed;
        if (!std::filesystem::exists(request.compare->reference, failed))
            return Error{ErrorCode::notFound, "the reference is not there",
                         request.compare->reference.string(), "make it before the hunt"};
        out.request.command.dump = request.compare->candidate;
        out.request.command.judgeDump = [&session, compare = *request.compare,
                                         bad = out.request.bad](const Progress& p) {
            return judgedDump(session, compare, bad, p);
        };
    }
    out.request.options.state.fingerprint = fingerprintOf(out.request);
    auto oracle =
        hunt::CommandOracle::make(out.request.command, out.request.options.items, out.request.options.form);
    if (!oracle) return oracle.error();
    auto result = hunt::hunt(*oracle, out.request.options, progress, events);
    if (!result) return result.error();
    out.result = std::move(*result);
    return out;
}

} // namespace divdet
