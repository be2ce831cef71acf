#include "session/hunt/block_oracle.h"

#include <algorithm>

#include <fmt/format.h>

#include "lower/pass_info.h"
#include "session/make_report.h"

namespace divdet {
namespace {

/// Whether two runs of the same passes may differ: some pass draws from the run's number, or the device
/// promises no bits.
bool mayVary(Session& session, const BlockRequest& request) {
    for (const lower::PassChoice& choice : request.passes)
        if (const auto info = lower::findPass(choice.id); info && info->varies && choice.variant.empty())
            return true;
    const auto device = session.backends().find(request.device);
    return device && device->device.promise != run::Promise::exact;
}

} // namespace

std::optional<hunt::Outcome> crashOutcome(const Error& error) {
    if (error.code != ErrorCode::unsupported && error.code != ErrorCode::assertion) return std::nullopt;
    return hunt::Outcome{hunt::Answer::bad, fmt::format("crash: {}", toString(error.code)), error.text()};
}

BlockOracle::BlockOracle(Session& session, BlockRequest request, BlockItems items, BadWhen bad)
    : m_session(session)
    , m_request(std::move(request))
    , m_items(std::move(items))
    , m_bad(std::move(bad))
    , m_varies(mayVary(session, m_request)) {
    m_request.eachAlone = false;
    m_request.classify = m_bad.kind == BadWhen::Kind::bug || m_bad.kind == BadWhen::Kind::finding;
}

BlockRequest BlockOracle::requestOf(const hunt::ItemSet& on) const {
    BlockRequest out = m_request;
    out.passes = m_items.passes(on);
    return out;
}

Result<hunt::Outcome> BlockOracle::ask(const hunt::ItemSet& on, std::uint64_t repetition,
                                       const Progress& progress) {
    BlockRequest request = requestOf(on);
    request.runNumber += repetition;
    // Only the token: the progress of a hunt is counted in runs.
    const auto run = runBlock(m_session, request, Progress{nullptr, progress.token});
    if (!run) {
        if (auto crash = crashOutcome(run.error())) return *crash;
        return run.error();
    }
    const Judgement judgement = judge(*(*run)->together, request.tolerance);
    return outcomeOf({*(*run)->together, judgement, metricAnswer(**run).missed()}, m_bad);
}

} // namespace divdet
