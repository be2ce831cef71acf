#include "session/determinism/lab.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "determinism/ordered_program.h"
#include "lower/pass_def.h"
#include "session/determinism/lab_sources.h"

namespace divdet {
namespace {

// The command line takes as many.
constexpr std::int64_t kMostRuns = 1'000'000, kMostPairs = 100'000, kMostTrials = 100'000;

constexpr std::string_view kNames[] = {"atomics", "autotune", "tf32", "accumulate", "batch"};

Result<lab::Bench> prepare(Session& session, const LabRequest& request, const Progress& progress) {
    const auto written = blockGraph(request.block);
    if (!written) return written.error();
    auto graph = block::bind(*written);
    if (!graph) return graph.error();
    for (const auto& choice : request.block.passes)
        if (auto fits = lower::checkFit(*graph, choice); !fits) return fits.error();
    auto device = session.backends().find(request.block.device);
    if (!device) return device.error();
    auto inputs = run::makeInputs(*graph, request.block.seed, nullptr, {nullptr, progress.token},
                                  device->backend.get());
    if (!inputs) return inputs.error();
    return lab::Bench{request, std::move(*graph), std::move(*inputs), std::move(*device)};
}

Status measureCost(const lab::Bench& bench, LabResult& out, const Progress& progress) {
    if (out.fixed && out.fixed->refused)
        out.costNotMeasured = "the switch refuses this program";
    else if (!lab::racing(bench))
        out.costNotMeasured = "this device leaves no sum to chance, so there is nothing to compare with";
    else if (out.raced.empty())
        out.costNotMeasured = "no sum of this block is left to chance: the switch changes nothing";
    if (!out.costNotMeasured.empty()) return Done{};
    const auto pairs = lab::timePairs(bench, progress);
    if (pairs)
        out.cost = costOf(*pairs);
    else if (pairs.error().code == ErrorCode::cancelled)
        return pairs.error();
    else
        out.costNotMeasured = pairs.error().text();
    return Done{};
}

/// From run to run, with the same settings.
bool runToRun(const SourceResult& s) {
    return s.measured() && (s.source == Variation::atomics || s.source == Variation::autotune);
}

} // namespace

std::string_view name(Variation source) {
    return kNames[static_cast<std::size_t>(source)];
}

std::optional<Variation> parseVariation(std::string_view text) {
    for (const Variation v : kVariations)
        if (name(v) == text) return v;
    return std::nullopt;
}

std::optional<bool> LabResult::varies() const {
    if (request.switchOnly) {
        if (!fixed || !fixed->runs) return std::nullopt;
        return !fixed->runs->sameBits();
    }
    bool known = false;
    for (const auto& s : sources) {
        if (runToRun(s)) known = true;
        if (runToRun(s) && !s.runs.sameBits()) return true;
        for (const Setting& setting : s.settings)
            if (!setting.steady) return true;
    }
    return known ? std::optional(false) : std::nullopt;
}

std::int64_t usualRuns(const block::BoundGraph& block) {
    double work = 1;
    for (const auto& op : block.graph.ops)
        work += static_cast<double>(std::max<std::int64_t>(1, lower::termsOf(block, op))) *
                static_cast<double>(elementCount(block.shapes[op.output]).value_or(0));
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(1000 * 0x1p28 / work), 20, 1000);
}

Result<LabResult> runLab(Session& session, const LabRequest& request, const Progress& progress,
                         const LabEvents& events) {
    const auto start = std::chrono::steady_clock::now();
    LabResult out;
    out.request = request;
    if (request.runs < 0 || request.runs == 1 || request.pairs < 0 || request.trials < 2 ||
        request.threads < 0)
        return Error{ErrorCode::usage, "one run says nothing of the next", "--runs", "ask for two or more"};
    if (request.runs > kMostRuns || request.pairs > kMostPairs || request.trials > kMostTrials)
        return Error{ErrorCode::usage, "so many runs would never end", "--runs",
                     fmt::format("ask for at most {} runs, {} pairs and {} trials", kMostRuns, kMostPairs,
                                 kMostTrials)};
    const auto bench = prepare(session, out.request, progress);
    if (!bench) return bench.error();
    out.request.block.device = bench->device.device.id;
    out.request.block.dims = bench->graph.dims;
    if (out.request.runs == 0) out.request.runs = usualRuns(bench->graph);
    out.deviceTitle = bench->device.device.title;
    const auto program = lab::programLeftToChance(*bench);
    if (!program) return program.error();
    out.raced = opsLeftToChance(*program);
    out.notes = program->notes;
    const auto say = [&] {
        out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (events.part) events.part(out);
    };
    if (!request.switchOnly)
        for (const Variation source : request.sources) {
            auto result = lab::measure(source, *bench, progress);
            if (!result) return result.error();
            out.sources.push_back(std::move(*result));
            say();
        }
    auto fixed = lab::measureSwitch(*bench, progress);
    if (!fixed) return fixed.error();
    if (request.switchOnly && fixed->refused) return *fixed->refused;
    out.fixed = std::move(*fixed);
    say();
    if (request.pairs > 0 && !request.switchOnly)
        if (auto s = measureCost(*bench, out, progress); !s) return s.error();
    out.complete = true;
    say();
    return out;
}

} // namespace divdet
