#include "session/hunt/hunt_block.h"

#include <span>

#include "base/sha256.h"
#include "session/hunt/block_oracle.h"
#include "session/make_report.h"

namespace divdet {

Result<BadWhen> settleForBlock(Session& session, const BlockRequest& request, const Progress& progress) {
    BlockRequest all = request;
    all.eachAlone = false;
    all.classify = true;
    const auto run = runBlock(session, all, Progress{nullptr, progress.token});
    if (!run) {
        if (crashOutcome(run.error())) return BadWhen{BadWhen::Kind::crash};
        return run.error();
    }
    const Judgement judgement = judge(*(*run)->together, all.tolerance);
    return settled({*(*run)->together, judgement, metricAnswer(**run).missed()});
}

Result<BlockHunt> huntBlock(Session& session, const BlockHuntRequest& request, const Progress& progress,
                            const hunt::HuntEvents& events) {
    auto items = BlockItems::of(request.block, request.over);
    if (!items) return items.error();
    BlockHunt out;
    out.request = request;
    hunt::HuntOptions& options = out.request.options;
    options.items = items->names();
    options.form = items->form();
    // Before `bad` is settled: what was asked for, not what it came to.
    const std::string what = commandLine(request.block, request.block.tolerance) + " over " +
                             toString(request.over) + " bad when " + toString(request.bad);
    options.state.fingerprint = sha256(std::as_bytes(std::span(what)));
    if (request.bad.kind == BadWhen::Kind::automatic) {
        auto bad = settleForBlock(session, request.block, progress);
        if (!bad) return bad.error();
        out.request.bad = std::move(*bad);
    }
    BlockOracle oracle(session, request.block, *items, out.request.bad);
    auto result = hunt::hunt(oracle, options, progress, events);
    if (!result) return result.error();
    out.result = std::move(*result);
    for (const hunt::CulpritSet& culprits : out.result.culprits) {
        hunt::ItemSet on = hunt::noneOf(options.items.size());
        for (const std::size_t i : culprits.items) on[i] = true;
        if (options.form == hunt::Form::counter)
            std::fill(on.begin(), on.begin() + static_cast<std::ptrdiff_t>(culprits.items.back()), true);
        out.alone.push_back(oracle.requestOf(on));
        out.commands.push_back(commandLine(out.alone.back(), request.block.tolerance));
    }
    return out;
}

} // namespace divdet
