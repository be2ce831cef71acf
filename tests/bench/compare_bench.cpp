// The scan against a plain sum over both arrays, in one run: the ratio is what counts, not the seconds.
#include <numeric>
#include <random>

#include <benchmark/benchmark.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "compare/scan.h"

namespace divdet {
namespace {

constexpr std::size_t kElements = 16u << 20;

const std::pair<Tensor, Tensor>& pairOfTensors() {
    static const auto pair = [] {
        std::mt19937 engine(1);
        std::normal_distribution<float> d;
        TensorBuilder r(DType::f32, {4096, static_cast<std::int64_t>(kElements / 4096)});
        TensorBuilder c(DType::f32, {4096, static_cast<std::int64_t>(kElements / 4096)});
        auto a = r.as<float>(), b = c.as<float>();
        for (std::size_t i = 0; i < kElements; ++i) {
            a[i] = d(engine);
            b[i] = a[i] * (1 + 1e-4f * d(engine));
        }
        return std::pair{std::move(r).finish(), std::move(c).finish()};
    }();
    return pair;
}

void report(benchmark::State& state) {
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(8 * kElements));
}

/// Every byte of both arrays once, on all cores: the memory's own speed.
void plainSum(benchmark::State& state) {
    const auto& [r, c] = pairOfTensors();
    const auto a = r.as<float>(), b = c.as<float>();
    for (auto _ : state) {
        const float sum = tbb::parallel_reduce(
            tbb::blocked_range<std::size_t>(0, kElements, 1 << 16), 0.0f,
            [&](const auto& range, float s) {
                for (std::size_t i = range.begin(); i < range.end(); ++i) s += a[i] + b[i];
                return s;
            },
            std::plus<>());
        benchmark::DoNotOptimize(sum);
    }
    report(state);
}

void fullSummary(benchmark::State& state) {
    const auto& [r, c] = pairOfTensors();
    for (auto _ : state) benchmark::DoNotOptimize(scan(r.view(), c.view(), {}));
    report(state);
}

void recountOnly(benchmark::State& state) {
    const auto& [r, c] = pairOfTensors();
    for (auto _ : state) benchmark::DoNotOptimize(recount(r.view(), c.view(), {}));
    report(state);
}

BENCHMARK(plainSum)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(fullSummary)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(recountOnly)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace
} // namespace divdet

BENCHMARK_MAIN();
