#include "session/hunt/find_stage.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "lower/stages.h"
#include "session/hunt/block_oracle.h"
#include "session/hunt/hunt_block.h"
#include "session/make_report.h"

namespace divdet {
namespace {

using Clock = std::chrono::steady_clock;
using lower::Stage;

constexpr Stage kStages[] = {Stage::capture, Stage::decompose, Stage::lower, Stage::replay};

std::string_view meaningOf(Stage stage) {
    switch (stage) {
    case Stage::capture:
        return "the captured graph differs already, before anything was compiled: the model, or how it was "
               "captured";
    case Stage::decompose:
        return "breaking operators up changed the result: a decomposition, or a formula that stands for "
               "another";
    case Stage::lower:
        return "the generated code differs: fusion, precision or code generation";
    case Stage::replay:
        break;
    }
    return "the same program differs when it is replayed: a stale buffer or an address that moved, not the "
           "maths";
}

StageReading readingOf(std::string name, const ComparedRun& run, const BadWhen& bad) {
    StageReading out;
    out.name = std::move(name);
    out.outcome = outcomeOf(run, bad);
    out.verdict = run.judgement.verdict;
    out.pairClass = overallClass(run.comparison);
    if (run.comparison.firstBad) out.firstBad = run.comparison.pairs[*run.comparison.firstBad].name;
    return out;
}

/// The first bad stage and what it says.
void conclude(StagesResult& result, Clock::time_point start) {
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    for (std::size_t i = 0; i < result.stages.size(); ++i) {
        const hunt::Answer answer = result.stages[i].outcome.answer;
        if (!result.first && answer == hunt::Answer::unresolved) result.sure = false;
        if (!result.first && answer == hunt::Answer::bad) result.first = i;
        if (result.first && i > *result.first && answer == hunt::Answer::good)
            result.notes.push_back(
                fmt::format("{} agrees again: two errors that cancel, or dumps of different "
                            "inputs",
                            result.stages[i].name));
    }
    if (!result.first) return;
    const std::string& name = result.stages[*result.first].name;
    if (const auto stage = stageNamed(name))
        result.meaning = std::string(meaningOf(*stage));
    else if (*result.first == 0)
        result.meaning = fmt::format("{} differs from the reference already", name);
    else
        result.meaning = fmt::format("the step from {} to {} changed the result",
                                     result.stages[*result.first - 1].name, name);
}

} // namespace

std::optional<Stage> stageNamed(const std::string& name) {
    const std::pair<const char*, Stage> names[] = {
        {"capture", Stage::capture},     {"eager", Stage::capture},    {"decompose", Stage::decompose},
        {"aot_eager", Stage::decompose}, {"lower", Stage::lower},      {"inductor", Stage::lower},
        {"replay", Stage::replay},       {"cudagraphs", Stage::replay}};
    for (const auto& [known, stage] : names)
        if (name == known) return stage;
    return std::nullopt;
}

Result<StagesResult> findStage(Session& session, const BlockRequest& request, const BadWhen& bad,
                               const Progress& progress) {
    const auto start = Clock::now();
    if (request.passes.empty())
        return Error{ErrorCode::usage, "no pass is on, so every stage is the reference", "--pass",
                     "give the passes that are under suspicion"};
    StagesResult result;
    result.bad = bad;
    if (bad.kind == BadWhen::Kind::automatic) {
        auto settled = settleForBlock(session, request, progress);
        if (!settled) return settled.error();
        result.bad = std::move(*settled);
    }
    BlockRequest stage = request;
    stage.eachAlone = false;
    std::size_t before = 0;
    for (const Stage last : kStages) {
        progress(static_cast<std::uint64_t>(last), std::size(kStages), name(last));
        stage.passes = lower::upTo(last, request.passes);
        const auto run = runBlock(session, stage, Progress{nullptr, progress.token});
        StageReading reading;
        if (run) {
            const Judgement judgement = judge(*(*run)->together, stage.tolerance);
            reading = readingOf(std::string(name(last)),
                                {*(*run)->together, judgement, metricAnswer(**run).missed()}, result.bad);
        } else if (auto crash = crashOutcome(run.error())) {
            reading.name = name(last);
            reading.outcome = *crash;
            if (result.bad.kind != BadWhen::Kind::crash) reading.outcome.answer = hunt::Answer::unresolved;
        } else {
            return run.error();
        }
        reading.changed = stage.passes.size() != before;
        before = stage.passes.size();
        result.stages.push_back(std::move(reading));
    }
    conclude(result, start);
    return result;
}

Result<StagesResult> findStage(Session& session, const CompareRequest& compare,
                               const std::vector<StageDump>& stages, const BadWhen& bad,
                               const Progress& progress) {
    const auto start = Clock::now();
    if (stages.empty())
        return Error{ErrorCode::usage, "there is no dump of a stage", "NAME=DUMP",
                     "give some, in the order of the stages: capture=a.npz lower=b.npz"};
    StagesResult result;
    result.bad = bad;
    if (bad.kind == BadWhen::Kind::automatic) result.bad = {BadWhen::Kind::verdict};
    if (bad.kind == BadWhen::Kind::crash)
        return Error{ErrorCode::usage, "a dump does not crash", "--bad-when", "choose verdict or bug"};
    for (const StageDump& stage : stages) {
        progress(result.stages.size(), stages.size(), stage.name);
        for (const StageReading& known : result.stages)
            if (known.name == stage.name)
                return Error{ErrorCode::usage, fmt::format("the stage {} is there twice", stage.name),
                             "NAME=DUMP", "give each stage its own name"};
        CompareRequest one = compare;
        one.candidate = stage.file;
        const auto compared = compareDumps(session, one, Progress{nullptr, progress.token});
        if (!compared) {
            const ErrorCode code = compared.error().code;
            if (code == ErrorCode::cancelled || code == ErrorCode::usage) return compared.error();
            StageReading unreadable;
            unreadable.name = stage.name;
            unreadable.outcome = {hunt::Answer::unresolved, "", compared.error().text()};
            result.stages.push_back(std::move(unreadable));
            continue;
        }
        const Judgement judgement = judge(*(*compared)->comparison, (*compared)->tolerance);
        result.stages.push_back(
            readingOf(stage.name, {*(*compared)->comparison, judgement, metricAnswer(**compared).missed()},
                      result.bad));
    }
    if (std::all_of(result.stages.begin(), result.stages.end(),
                    [](const StageReading& s) { return !s.verdict.has_value(); }))
        return Error{ErrorCode::io, "no stage could be compared: " + result.stages.front().outcome.text,
                     stages.front().file.string(), ""};
    conclude(result, start);
    return result;
}

} // namespace divdet
