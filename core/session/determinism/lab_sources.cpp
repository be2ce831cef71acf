#include "session/determinism/lab_sources.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "determinism/ordered_program.h"
#include "lower/lower.h"
#include "run/replay.h"
#include "session/determinism/left_to_chance.h"

namespace divdet::lab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kRepetitions = 30; ///< of a setting: enough to see that it holds still

lower::PassChoice pass(std::string_view text) {
    return *lower::parsePass(text); // texts of this file only
}

/// An order that an autotuner would try.
struct Candidate {
    std::string label;
    lower::LoweredGraph program;
};

Result<SourceResult> measureAtomics(const Bench& bench, const Progress& progress) {
    SourceResult out{Variation::atomics, "", {}, {}, 0, {}, {}};
    run::RacingBackend* const race = racing(bench);
    if (!race) {
        out.notMeasured =
            fmt::format("the backend of {} has no atomic additions that this program can leave to "
                        "chance: this device is not measured",
                        bench.device.device.id);
        return out;
    }
    const auto program = programLeftToChance(bench);
    if (!program) return program.error();
    if (opsLeftToChance(*program).empty()) {
        out.notMeasured = "no sum of this block is left to atomic additions";
        return out;
    }
    LeftToChance backend(*bench.device.backend, race, {bench.request.threads});
    auto runs = repeatRuns(
        bench.request.runs,
        [&](std::int64_t) {
            return bench.run(*program, backend, {nullptr, progress.token});
        },
        "atomics", progress);
    if (!runs) return runs.error();
    out.runs = std::move(*runs);
    out.runs.seen = backend.seen();
    return out;
}

/// Each setting runs often enough to see that it does not vary by itself; the spread is that of one run of
/// each.
Result<SourceResult>
measureSettings(Variation source,
                const std::vector<std::pair<std::string, std::vector<lower::PassChoice>>>& all,
                const Bench& bench, const Progress& progress) {
    SourceResult out{source, "", {}, {}, kRepetitions, {}, {}};
    LeftToChance backend(*bench.device.backend, nullptr);
    std::vector<lower::LoweredGraph> programs;
    for (const auto& [label, passes] : all) {
        auto program = bench.lowered(passes);
        if (!program) return program.error();
        auto runs = repeatRuns(
            kRepetitions,
            [&](std::int64_t) {
                return bench.run(*program, backend, {nullptr, progress.token});
            },
            label, progress);
        if (!runs) return runs.error();
        out.settings.push_back({label, runs->sameBits()});
        programs.push_back(std::move(*program));
    }
    // Each runs once more: to keep the taps of all would take more memory than any other run of the block.
    auto runs = repeatRuns(
        static_cast<std::int64_t>(programs.size()),
        [&](std::int64_t i) {
            return bench.run(programs[static_cast<std::size_t>(i)], backend, {nullptr, progress.token});
        },
        name(source), progress);
    if (!runs) return runs.error();
    out.runs = std::move(*runs);
    return out;
}

Result<SourceResult> measureTf32(const Bench& bench, const Progress& progress) {
    return measureSettings(Variation::tf32,
                           {{"fp32", {}},
                            {"tf32, operands to nearest even", {pass("tf32=rne")}},
                            {"tf32, operands to nearest away", {pass("tf32=rna")}},
                            {"tf32, operands cut off", {pass("tf32=rz")}}},
                           bench, progress);
}

Result<SourceResult> measureAccumulation(const Bench& bench, const Progress& progress) {
    if (lower::checkFit(bench.graph, pass("split-k-bf16")))
        return measureSettings(Variation::accumulate,
                               {{"fp32 partial sums", {pass("reassociate=splitk:8")}},
                                {"bf16 partial sums", {pass("reassociate=splitk:8"), pass("split-k-bf16")}}},
                               bench, progress);
    return measureSettings(Variation::accumulate,
                           {{"fp32 accumulator", {}},
                            {"fp16 accumulator", {pass("wrong-accumulator=fp16")}},
                            {"bf16 accumulator", {pass("wrong-accumulator=bf16")}}},
                           bench, progress);
}

std::vector<Candidate> candidates(const Bench& bench) {
    std::vector<Candidate> out;
    if (auto plain = bench.lowered({})) out.push_back({"one chain", std::move(*plain)});
    for (const int n : {2, 4, 8, 16})
        if (auto cut = bench.lowered({pass(fmt::format("reassociate=splitk:{}", n))}))
            out.push_back({fmt::format("split {}", n), std::move(*cut)});
    return out;
}

/// As autotuners do it: every order is tried, and the one that was fastest is kept. Nothing but the clock
/// decides, so a busy machine may choose another one next time.
Result<SourceResult> measureAutotune(const Bench& bench, const Progress& progress) {
    SourceResult out{Variation::autotune, "", {}, {}, 0, {}, {}};
    const auto all = candidates(bench);
    if (all.size() < 2) {
        out.notMeasured = "no sum of this block has another order";
        return out;
    }
    LeftToChance backend(*bench.device.backend, nullptr);
    const auto tuned = [&](std::int64_t trial) -> Result<run::Taps> {
        std::optional<double> best;
        std::string winner;
        run::Taps taps;
        for (std::size_t i = 0; i < all.size(); ++i) {
            // The first to run meets cold caches, so each is first by turns.
            const Candidate& c = all[(i + static_cast<std::size_t>(trial)) % all.size()];
            const auto start = Clock::now();
            auto now = bench.run(c.program, backend, {nullptr, progress.token});
            const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
            if (!now) return now.error();
            if (best && seconds >= *best) continue;
            best = seconds;
            winner = c.label;
            taps = std::move(*now);
        }
        ++out.chosen[winner];
        return taps;
    };
    auto runs = repeatRuns(bench.request.trials, tuned, "autotune", progress);
    if (!runs) return runs.error();
    out.runs = std::move(*runs);
    return out;
}

Result<SourceResult> measureBatch(const Bench& bench, const Progress& progress) {
    SourceResult out{Variation::batch, whyRowsMix(bench.graph), {}, {}, 0, {}, {}};
    if (!out.measured()) return out;
    LeftToChance backend(*bench.device.backend, nullptr);
    auto batch = batchInvariance(bench.graph, bench.request.block.passes, bench.inputs, backend,
                                 bench.device.device.id, {nullptr, progress.token});
    if (!batch) return batch.error();
    out.batch = std::move(*batch);
    return out;
}

Result<SourceResult> measured(Variation source, const Bench& bench, const Progress& progress) {
    switch (source) {
    case Variation::atomics:
        return measureAtomics(bench, progress);
    case Variation::autotune:
        return measureAutotune(bench, progress);
    case Variation::tf32:
        return measureTf32(bench, progress);
    case Variation::accumulate:
        return measureAccumulation(bench, progress);
    case Variation::batch:
        break;
    }
    return measureBatch(bench, progress);
}

} // namespace

Result<lower::LoweredGraph> Bench::lowered(const std::vector<lower::PassChoice>& more) const {
    std::vector<lower::PassChoice> all = request.block.passes;
    all.insert(all.end(), more.begin(), more.end());
    return lower::lower(graph, all, request.block.runNumber);
}

Result<run::Taps> Bench::run(const lower::LoweredGraph& program, run::Backend& backend,
                             const Progress& progress) const {
    const run::Target target{backend, device.device.id};
    return run::runProgram(program, inputs, request.block.seed, target, progress);
}

run::RacingBackend* racing(const Bench& bench) {
    return dynamic_cast<run::RacingBackend*>(bench.device.backend.get());
}

Result<lower::LoweredGraph> programLeftToChance(const Bench& bench) {
    const auto& on = bench.request.block.passes;
    const bool asked = std::any_of(on.begin(), on.end(), [](const auto& p) { return p.id == "atomics"; });
    if (asked || !lower::checkFit(bench.graph, pass("atomics"))) return bench.lowered({});
    return bench.lowered({pass("atomics")});
}

Result<SourceResult> measure(Variation source, const Bench& bench, const Progress& progress) {
    auto result = measured(source, bench, progress);
    if (result || result.error().code == ErrorCode::cancelled) return result;
    return SourceResult{source, result.error().text(), {}, {}, 0, {}, {}};
}

Result<SwitchResult> measureSwitch(const Bench& bench, const Progress& progress) {
    auto program = programLeftToChance(bench);
    if (!program) return program.error();
    SwitchResult out;
    auto ordered = orderedProgram(std::move(*program), bench.device.device);
    if (!ordered) {
        out.refused = ordered.error();
        return out;
    }
    out.changes = ordered->changes;
    LeftToChance backend(*bench.device.backend, nullptr);
    auto runs = repeatRuns(
        bench.request.runs,
        [&](std::int64_t) {
            return bench.run(ordered->program, backend, {nullptr, progress.token});
        },
        "switch on", progress);
    if (!runs) return runs.error();
    out.runs = std::move(*runs);
    return out;
}

Result<std::vector<TimedPair>> timePairs(const Bench& bench, const Progress& progress) {
    const auto off = programLeftToChance(bench);
    if (!off) return off.error();
    const auto on = orderedProgram(*off, bench.device.device);
    if (!on) return on.error();
    LeftToChance chance(*bench.device.backend, racing(bench), {bench.request.threads});
    LeftToChance fixed(*bench.device.backend, nullptr);
    const auto timed = [&](bool switched) -> Result<double> {
        const auto start = Clock::now();
        const auto taps =
            bench.run(switched ? on->program : *off, switched ? fixed : chance, {nullptr, progress.token});
        if (!taps) return taps.error();
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    std::vector<TimedPair> pairs;
    for (std::int64_t i = -1; i < bench.request.pairs; ++i) { // the first pair warms up and does not count
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "timing was stopped", "", ""};
        progress(static_cast<std::uint64_t>(std::max<std::int64_t>(0, i)),
                 static_cast<std::uint64_t>(bench.request.pairs), "cost of the switch");
        const bool first = i % 2 == 0;
        const auto one = timed(first), other = timed(!first);
        if (!one) return one.error();
        if (!other) return other.error();
        if (i >= 0) pairs.push_back(first ? TimedPair{*other, *one} : TimedPair{*one, *other});
    }
    return pairs;
}

} // namespace divdet::lab
