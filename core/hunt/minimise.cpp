#include "hunt/minimise.h"

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

std::vector<ReductionInfo> reductionList() {
    std::vector<ReductionInfo> out;
    for (const Reduction& r : kReductions) out.push_back({r.id, r.text});
    return out;
}

Result<MinimiseResult> minimise(CaseOracle& oracle, const Case& start, const MinimiseOptions& options,
                                const Progress& progress, const MinimiseEvents& events) {
    if (options.repeat < 1 || options.maxRuns < options.repeat)
        return Error{ErrorCode::usage, fmt::format("{} runs are too few", options.maxRuns), "--max-runs",
                     fmt::format("allow at least {}", std::max<std::uint64_t>(options.repeat, 1))};
    const auto began = std::chrono::steady_clock::now();
    Reducer reducer(oracle, options, progress, events, start);
    MinimiseResult out;
    out.sizeBefore = sizeOf(start);
    const auto first = reducer.begin();
    if (!first) return first.error();
    out.before = *first;
    const auto finish = [&] {
        out.smallest = reducer.now();
        out.sizeAfter = sizeOf(out.smallest);
        out.after = first->answer == Answer::bad ? reducer.outcome() : *first;
        out.runs = reducer.runs();
        out.records = reducer.records();
        out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        return out;
    };
    if (first->answer != Answer::bad) return finish();
    const auto tell = [&](std::string line) {
        reducer.tell(line);
        out.story.push_back(std::move(line));
    };
    tell(fmt::format("start: {}; {}", toString(out.sizeBefore), first->text));
    while (!out.complete && !reducer.spent()) {
        const std::uint64_t before = reducer.accepted();
        for (const Reduction& reduction : kReductions) {
            const std::uint64_t accepted = reducer.accepted(), runs = reducer.runs();
            const CaseSize was = sizeOf(reducer.now());
            if (auto s = reduction.apply(reducer); !s) return s.error();
            if (reducer.accepted() != accepted)
                tell(lineOf(reduction, was, reducer.now(), reducer.runs() - runs));
        }
        out.complete = reducer.accepted() == before && !reducer.spent();
    }
    if (!out.complete) tell(fmt::format("the {} runs are used up", options.maxRuns));
    return finish();
}

} // namespace divdet::hunt
