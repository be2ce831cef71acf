// What judging all taps together costs over the full summary, which every pair gets anyway.
#include <benchmark/benchmark.h>

#include <random>

#include "compare/scan.h"
#include "judge/taps/judge_taps.h"

namespace divdet {
namespace {

constexpr std::int64_t kSide = 4096;

const PairData& pairData() {
    static const PairData data = [] {
        TensorBuilder reference(DType::f32, {kSide, kSide}), candidate(DType::f32, {kSide, kSide});
        std::mt19937 engine(1);
        std::normal_distribution<float> d;
        std::vector<float> values(1 << 16), errors(1 << 16);
        for (float& x : values) x = d(engine);
        for (float& x : errors) x = 1e-6F * d(engine);
        const auto r = reference.as<float>(), c = candidate.as<float>();
        for (std::size_t i = 0; i < r.size(); ++i) {
            const std::size_t k = (i * 2654435761U >> 7) & 0xFFFF;
            r[i] = values[k];
            c[i] = values[k] * (1 + errors[k ^ (i >> 16)]);
        }
        return PairData{std::move(reference).finish(), std::move(candidate).finish(), {}, {}};
    }();
    return data;
}

Summary summary() {
    return *scan(pairData().reference.view(), pairData().candidate.view(), {});
}

void fullSummary(benchmark::State& state) {
    pairData();
    for (auto _ : state) benchmark::DoNotOptimize(summary());
}

void factsAndRules(benchmark::State& state) {
    TapPair pair;
    pair.name = "layers.1.out";
    pair.summary = std::make_shared<const Summary>(summary());
    for (auto _ : state) {
        const std::vector<NamedFacts> facts{{"layers.0.out", {}}, {pair.name, gatherFacts(pair, pairData())}};
        benchmark::DoNotOptimize(judgeTaps(facts, {}));
    }
}

BENCHMARK(fullSummary)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(factsAndRules)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace divdet

BENCHMARK_MAIN();
