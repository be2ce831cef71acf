#include "hunt/minimise.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "hunt/reducer.h"

namespace divdet::hunt {
namespace {

struct Reduction {
    Status (*apply)(Reducer&);
    const char *id, *text;
};

constexpr Reduction kReductions[] = {
#define DIVDET_REDUCTION(function, id, text) {reductions::function, id, text},
#include "hunt/reductions.def"
#undef DIVDET_REDUCTION
};

/// One line of the story for what a reduction came to; nothing when it changed nothing.
std::string lineOf(const Reduction& reduction, const CaseSize& was, const Case& now, std::uint64_t runs) {
    const CaseSize is = sizeOf(now);
    const std::string what = is == was ? "plainer, with " + toString(is) : toString(is);
    return fmt::format("{}: {} ({} {})", reduction.id, what, runs, runs == 1 ? "run" : "runs");
}

} // namespace

std::string_view toString(MinimiseEnding ending) {
    switch (ending) {
    case MinimiseEnding::reduced:
        return "reduced";
    case MinimiseEnding::irreducible:
        return "irreducible";
    case MinimiseEnding::notBad:
        return "not-bad";
    case MinimiseEnding::unsteady:
        break;
    }
    return "unsteady";
}

std::vector<ReductionInfo> reductionList() {
    std::vector<ReductionInfo> out;
    for (const Reduction& r : kReductions) out.push_back({r.id, r.text});
    return out;
}

Result<MinimiseResult> minimise(CaseOracle& oracle, const Case& start, const MinimiseOptions& options,
                                const Progress& progress, const MinimiseEvents& events) {
    const std::uint64_t fewest = std::max({options.repeat, options.checks, std::uint64_t{1}});
    if (options.repeat < 1 || options.checks < 1 || options.maxRuns < fewest)
        return Error{ErrorCode::usage, fmt::format("{} runs are too few", options.maxRuns), "--max-runs",
                     fmt::format("allow at least {}", fewest)};
    const auto began = std::chrono::steady_clock::now();
    Reducer reducer(oracle, options, progress, events, start);
    MinimiseResult out;
    out.sizeBefore = sizeOf(start);
    const auto first = reducer.begin();
    if (!first) return first.error();
    out.before = first->outcome;
    const bool bad = first->outcome.answer == Answer::bad;
    out.ending = first->unsteady ? MinimiseEnding::unsteady : MinimiseEnding::notBad;
    const auto finish = [&] {
        out.smallest = reducer.now();
        out.sizeAfter = sizeOf(out.smallest);
        out.after = reducer.outcome();
        out.runs = reducer.runs();
        out.records = reducer.records();
        out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        return out;
    };
    if (!bad || first->unsteady) return finish();
    const auto tell = [&](std::string line) {
        reducer.tell(line);
        out.story.push_back(std::move(line));
    };
    tell(fmt::format("start: {}; {}", toString(out.sizeBefore), out.before.text));
    while (!out.complete && !out.cancelled && !reducer.spent()) {
        const std::uint64_t before = reducer.accepted();
        for (const Reduction& reduction : kReductions) {
            const std::uint64_t accepted = reducer.accepted(), runs = reducer.runs();
            const CaseSize was = sizeOf(reducer.now());
            const Status applied = reduction.apply(reducer);
            out.cancelled =
                !applied && applied.error().code == ErrorCode::cancelled && reducer.accepted() > 0;
            if (!applied && !out.cancelled) return applied.error();
            if (reducer.accepted() != accepted)
                tell(lineOf(reduction, was, reducer.now(), reducer.runs() - runs));
            if (out.cancelled) break;
        }
        out.complete = !out.cancelled && reducer.accepted() == before && !reducer.spent();
    }
    if (out.cancelled) tell(fmt::format("cancelled after {} runs", reducer.runs()));
    if (!out.complete && !out.cancelled)
        tell(fmt::format("stopped after {} runs: one more case and its check would exceed the {} allowed",
                         reducer.runs(), options.maxRuns));
    out.ending = reducer.accepted() || !out.complete ? MinimiseEnding::reduced : MinimiseEnding::irreducible;
    if (reducer.accepted() == 0) return finish(); // the start was checked
    if (out.cancelled) return finish();
    const auto again = reducer.check();
    if (!again) return again.error();
    if (!*again) {
        out.ending = MinimiseEnding::unsteady;
        tell("the smallest case does not fail once more");
    }
    return finish();
}

} // namespace divdet::hunt
