#include "session/run_block.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "judge/live/judge_run.h"
#include "lower/lower.h"
#include "lower/pass_info.h"
#include "lower/stages.h"
#include "run/architecture.h"
#include "run/replay.h"
#include "session/block_setup.h"
#include "session/derived_tolerances.h"
#include "session/tap_pairs.h"
#include "session/task_metric.h"

namespace divdet {
namespace {

using Clock = std::chrono::steady_clock;

/// What the passes that are drift declare; a fault declares nothing.
JudgeContext declaredBy(const std::vector<lower::PassChoice>& passes) {
    std::vector<LossyStep> steps;
    for (const auto& choice : passes) {
        const auto info = lower::findPass(choice.id);
        if (!info || info->kind != lower::PassKind::drift) continue;
        if (const auto step = Declared::parse(choice.id))
            steps.insert(steps.end(), step->steps().begin(), step->steps().end());
    }
    JudgeContext out;
    out.declared = Declared::of(steps);
    return out;
}

/// A bug never declares itself: it is found by what it does to its op.
Result<std::shared_ptr<const Comparison>> classified(Session& session, const BlockSetup& setup,
                                                     const BlockRequest& request,
                                                     const Comparison& comparison, const run::Taps& candidate,
                                                     const Progress& progress) {
    const auto declared = lower::lower(setup.graph, declaredPasses(request), request.runNumber);
    if (!declared) return declared.error();
    const run::DeviceInfo& device = setup.device.device;
    const auto arch = run::parseArchitecture(device.architecture);
    if (!arch) return judgePairsAlone(comparison, declaredBy(request.passes), progress);
    const auto order = device.promise == run::Promise::exact ? local::Order::known : local::Order::any;
    const local::RecordedRun run{*declared, setup.inputs.tensors, candidate, *arch, order};
    const run::Target target{*setup.device.backend, device.id, &session.cache()};
    const auto whole = [&](const lower::LoweredGraph& program) {
        return run::runProgram(program, setup.inputs, request.seed, target, progress);
    };
    return judgeRun(comparison, run, setup.graph, target, whole, declaredBy(request.passes), progress);
}

/// The derived tolerance of every tap. Its k is told in the result, with what has none.
Result<std::map<std::string, Tolerance>> ownTolerances(const BlockSetup& setup, const BlockRequest& request,
                                                       LiveResult& result, const Progress& progress) {
    std::map<std::string, Tolerance> own;
    if (!request.derived) return own;
    if (!(*request.derived > 0 && *request.derived < 1))
        return Error{ErrorCode::usage, fmt::format("p is {}", *request.derived), "--p",
                     "give the share of honest runs that may fail, such as 1e-6"};
    const auto declared = lower::lower(setup.graph, declaredPasses(request), request.runNumber);
    if (!declared) return declared.error();
    const run::DeviceInfo& device = setup.device.device;
    const auto arch = run::parseArchitecture(device.architecture);
    if (!arch)
        return Error{ErrorCode::unsupported, "the arithmetic of this device is not modelled", device.id,
                     "give a tolerance instead of --preset derived"};
    const auto order = device.promise == run::Promise::exact ? local::Order::known : local::Order::any;
    const auto all = derivedTolerances(*declared, setup.inputs.tensors, setup.reference, *arch, order,
                                       *request.derived, progress);
    if (!all) return all.error();
    for (const auto& [name, t] : *all) {
        own[name] = t.nearZero;
        result.derivedK = std::max(result.derivedK, t.k);
    }
    for (const auto& name : setup.graph.graph.outputs())
        if (!own.contains(name))
            result.notes.push_back(fmt::format("theory derives no tolerance for {}", name));
    return own;
}

/// The bugs whose frontiers bound the window of sane tolerances; shown even when they are off.
std::vector<lower::PassChoice> landmarks(const BlockRequest& request, const block::BoundGraph& graph) {
    std::vector<lower::PassChoice> out;
    for (const char* variant : {"bf16", "fp16"}) {
        lower::PassChoice choice{"wrong-accumulator", variant, {}};
        bool on = false;
        for (const auto& p : request.passes) on = on || (p.id == choice.id && p.variant == choice.variant);
        if (!on && lower::checkFit(graph, choice)) out.push_back(std::move(choice));
    }
    return out;
}

Result<std::vector<PassAlone>> runEachAlone(Session& session, const BlockSetup& setup,
                                            const BlockRequest& request, const Progress& progress) {
    std::vector<PassAlone> out;
    const auto outputs = setup.graph.graph.outputs();
    const auto one = [&](const lower::PassChoice& choice, bool enabled) -> Status {
        auto taps = runWithPasses(session, setup, {choice}, request, nullptr, progress);
        if (!taps) return taps.error();
        auto comparison =
            compareTaps(setup.reference, *taps, outputs, request.judge, request.tolerance, true, progress);
        if (!comparison) return comparison.error();
        out.push_back({choice, enabled, withoutElements(**comparison)});
        return Done{};
    };
    const auto bugs = landmarks(request, setup.graph);
    const std::uint64_t total = request.passes.size() + bugs.size();
    for (const auto& choice : request.passes) {
        progress(out.size(), total, choice.id);
        if (auto s = one(choice, true); !s) return s.error();
    }
    for (const auto& choice : bugs) {
        progress(out.size(), total, choice.id);
        if (auto s = one(choice, false); !s) return s.error();
    }
    return out;
}

} // namespace

Result<std::shared_ptr<const LiveResult>>
runBlock(Session& session, const BlockRequest& request, const Progress& progress,
         const std::function<void(std::shared_ptr<const LiveResult>)>& partial) {
    const auto start = Clock::now();
    auto setup = prepareBlock(session, request, progress);
    if (!setup) return setup.error();

    LiveResult result;
    result.request = request;
    result.request.device = setup->device.device.id;
    for (const auto& [name, value] : setup->graph.dims) result.request.dims[name] = value;
    auto taps = runWithPasses(session, *setup, request.passes, request, &result.notes, progress);
    if (!taps) return taps.error();
    result.notes.insert(result.notes.end(), taps->notes.begin(), taps->notes.end());
    if (setup->device.device.promise != run::Promise::exact) // what decides its bits
        result.notes.push_back(fmt::format("{} is {}", setup->device.device.id, setup->device.device.title));
    const auto own = ownTolerances(*setup, request, result, progress);
    if (!own) return own.error();
    auto together = compareTaps(setup->reference, *taps, setup->graph.graph.outputs(), request.judge,
                                request.tolerance, false, progress, *own);
    if (!together) return together.error();
    result.together = std::move(*together);
    auto metric = taskMetric(*result.together, request.metric, Progress{nullptr, progress.token});
    if (!metric) return metric.error();
    result.metric = std::move(*metric);
    result.reference = std::make_shared<const run::Taps>(setup->reference);
    result.candidate = std::make_shared<const run::Taps>(*taps);
    result.opsRun = setup->reference.opsRun + taps->opsRun;
    result.opsCached = setup->reference.opsCached + taps->opsCached;
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    result.complete = !request.eachAlone && !request.classify;
    if (partial) partial(std::make_shared<const LiveResult>(result));
    if (request.classify) {
        auto judged = classified(session, *setup, request, *result.together, *taps, progress);
        if (!judged) return judged.error();
        result.together = std::move(*judged);
        result.complete = !request.eachAlone;
        if (partial) partial(std::make_shared<const LiveResult>(result));
    }
    if (request.eachAlone) {
        auto alone = runEachAlone(session, *setup, request, progress);
        if (!alone) return alone.error();
        result.alone = std::move(*alone);
        result.complete = true;
    }
    return std::make_shared<const LiveResult>(std::move(result));
}

} // namespace divdet
