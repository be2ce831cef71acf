// What a user waits for on the default block: a toggle until its verdict, and a cold start until the first
// one.
#include <benchmark/benchmark.h>

#include "host/twin_backend.h"
#include "session/lists.h"
#include "session/run_block.h"

namespace divdet {
namespace {

std::shared_ptr<Session> makeSession() {
    auto backends = std::make_shared<run::BackendRegistry>();
    backends->add(std::make_shared<host::TwinBackend>());
    return std::make_shared<Session>(std::move(backends));
}

BlockRequest defaultRequest() {
    BlockRequest r;
    r.passes = startPasses(r.block);
    r.eachAlone = false;
    return r;
}

/// A warm session (reference and start passes run), then one pass is switched on or off: ms until the
/// verdict, which the window shows at once, or with `causes` until every op is judged as well.
void toggle(benchmark::State& state, std::vector<lower::PassChoice> passes, bool causes = false) {
    for (auto _ : state) {
        state.PauseTiming();
        auto session = makeSession();
        BlockRequest request = defaultRequest();
        if (!runBlock(*session, request)) state.SkipWithError("the start run failed");
        request.passes = passes;
        request.classify = causes;
        state.ResumeTiming();
        const auto r = runBlock(*session, request);
        if (!r) state.SkipWithError(r.error().text().c_str());
        benchmark::DoNotOptimize(judge(*(*r)->together, {}).verdict);
    }
}

void coldStart(benchmark::State& state) {
    for (auto _ : state) {
        auto session = makeSession();
        BlockRequest request = defaultRequest();
        request.classify = false;
        const auto r = runBlock(*session, request);
        benchmark::DoNotOptimize(judge(*(*r)->together, {}).verdict);
    }
}

/// A slider move: the verdict of every tap at another tolerance.
void sliderMove(benchmark::State& state) {
    auto session = makeSession();
    BlockRequest request = defaultRequest();
    request.eachAlone = true;
    const auto r = *runBlock(*session, request);
    double rtol = 1e-9;
    for (auto _ : state) {
        rtol = rtol < 1e-2 ? rtol * 1.1 : 1e-9;
        benchmark::DoNotOptimize(
            judge(*r->together, {Rule::allclose, rtol, linkedAtol(rtol), false}).verdict);
        for (const auto& a : r->alone)
            benchmark::DoNotOptimize(
                judge(*a.comparison, {Rule::allclose, rtol, linkedAtol(rtol), false}).verdict);
    }
}

BENCHMARK(coldStart)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(toggle, int8_off, {{"reassociate", "splitk:8", {}}, {"tf32", "rne", {}}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(toggle, reassociate_only, {{"reassociate", "splitk:8", {}}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(toggle, bf16_only, {{"bf16", "", {}}})->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(toggle, bug_on,
                  {{"reassociate", "splitk:8", {}},
                   {"tf32", "rne", {}},
                   {"int8", "per-token", {}},
                   {"wrong-accumulator", "bf16", {}}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(toggle, bug_alone, {{"wrong-accumulator", "bf16", {}}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(toggle, int8_off_with_causes, {{"reassociate", "splitk:8", {}}, {"tf32", "rne", {}}}, true)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(toggle, bug_alone_with_causes, {{"wrong-accumulator", "bf16", {}}}, true)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(sliderMove)->Unit(benchmark::kMicrosecond);

} // namespace
} // namespace divdet

BENCHMARK_MAIN();
