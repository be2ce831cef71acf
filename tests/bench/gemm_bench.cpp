// Processor time per product of every GEMM on the default block's first product, one thread, beside Eigen's
// sgemm from the same run. Counters: ns/product, and speed as a multiple of Eigen's (above 1: faster):
// `vs_eigen` is Eigen with the project's flags, `vs_avx2` and `vs_avx512` Eigen compiled for those
// instruction sets.
#include <algorithm>
#include <ctime>
#include <vector>

#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

#include "bench/eigen_sgemm/eigen_sgemm.h"
#include "host/gemm.h"
#include "numerics/philox.h"
#include "numerics/rounding.h"

namespace {

using namespace divdet;
using host::GemmShape;
using numerics::Arch;
using numerics::OperandFormat;

constexpr GemmShape kShape{64, 2048, 512}; // m, n, k of the default block's first product
constexpr double kProducts = 64.0 * 512.0 * 2048.0;

float narrowed(float x, OperandFormat f) {
    switch (f) {
    case OperandFormat::f16:
        return numerics::roundToF16(x);
    case OperandFormat::bf16:
        return numerics::roundToBf16(x);
    case OperandFormat::tf32:
        return numerics::roundToTf32(x, numerics::Tf32Rounding::nearestEven);
    case OperandFormat::f8e4m3:
        return numerics::roundToF8e4m3(x);
    case OperandFormat::f8e5m2:
        return numerics::roundToF8e5m2(x);
    }
    return x;
}

std::vector<float> normals(std::size_t n, std::uint32_t stream) {
    std::vector<float> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = numerics::normalAt(0, stream, i);
    return x;
}

std::vector<float> narrowedNormals(std::size_t n, std::uint32_t stream, OperandFormat f) {
    std::vector<float> x = normals(n, stream);
    for (float& v : x) v = narrowed(v, f);
    return x;
}

std::vector<std::int8_t> bytes(std::size_t n, std::uint32_t stream) {
    std::vector<std::int8_t> x(n);
    for (std::size_t i = 0; i < n; ++i)
        x[i] = static_cast<std::int8_t>(numerics::normalAt(0, stream, i) * 30.0f);
    return x;
}

/// Seconds of processor time of this thread. All work is on it, and other programs on the machine do not
/// count.
double threadSeconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Least time of several calls.
template <class F>
double leastSeconds(int calls, const F& f) {
    double least = 1e9;
    for (int i = 0; i < calls; ++i) {
        const double begin = threadSeconds();
        f();
        least = std::min(least, threadSeconds() - begin);
    }
    return least;
}

/// One Eigen product of the shape; 0 where `product` is null.
double eigenSeconds(eigen_sgemm::Product product) {
    if (!product) return 0;
    const auto a = normals(kShape.m * kShape.k, 1);
    const auto b = normals(kShape.k * kShape.n, 2);
    std::vector<float> c(kShape.m * kShape.n);
    return leastSeconds(40, [&] {
        product(kShape.m, kShape.n, kShape.k, a.data(), b.data(), c.data());
        benchmark::DoNotOptimize(c.data());
    });
}

struct EigenTimes {
    double projectFlags = eigenSeconds(eigen_sgemm::projectFlags);
    double avx2 = eigenSeconds(eigen_sgemm::avx2IfPresent());
    double avx512 = eigenSeconds(eigen_sgemm::avx512IfPresent());
};

template <class F>
void measure(benchmark::State& state, const F& product) {
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    static const EigenTimes eigen;
    double least = 1e9;
    for (auto _ : state) least = std::min(least, leastSeconds(1, product));
    state.counters["ns/product"] = least * 1e9 / kProducts;
    state.counters["vs_eigen"] = eigen.projectFlags / least;
    if (eigen.avx2 > 0) state.counters["vs_avx2"] = eigen.avx2 / least;
    if (eigen.avx512 > 0) state.counters["vs_avx512"] = eigen.avx512 / least;
}

void fp32(benchmark::State& state, host::SumOrder order) {
    const auto a = normals(kShape.m * kShape.k, 1);
    const auto b = normals(kShape.k * kShape.n, 2);
    std::vector<float> c(kShape.m * kShape.n);
    measure(state, [&] { host::gemmF32(kShape, a.data(), b.data(), nullptr, c.data(), order); });
}

void tensorCore(benchmark::State& state, Arch arch, OperandFormat format, bool f16Accumulator) {
    const auto a = narrowedNormals(kShape.m * kShape.k, 1, format);
    const auto b = narrowedNormals(kShape.k * kShape.n, 2, format);
    std::vector<float> c(kShape.m * kShape.n);
    const numerics::TcSpec spec = numerics::tcSpec(arch, format, f16Accumulator);
    measure(state, [&] { host::gemmTensorCore(kShape, a.data(), b.data(), nullptr, c.data(), spec); });
}

void int8(benchmark::State& state) {
    const auto a = bytes(kShape.m * kShape.k, 1);
    const auto b = bytes(kShape.k * kShape.n, 2);
    std::vector<std::int32_t> c(kShape.m * kShape.n);
    measure(state, [&] { host::gemmInt8(kShape, a.data(), b.data(), c.data()); });
}

void rounded(benchmark::State& state, host::AccFormat format) {
    const auto a = normals(kShape.m * kShape.k, 1);
    const auto b = normals(kShape.k * kShape.n, 2);
    std::vector<float> c(kShape.m * kShape.n);
    measure(state,
            [&] { host::gemmRoundedAccumulator(kShape, a.data(), b.data(), nullptr, c.data(), format); });
}

BENCHMARK_CAPTURE(fp32, sequential, host::SumOrder{host::Order::sequential, 1})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fp32, splitk8, host::SumOrder{host::Order::splitK, 8})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fp32, pairwise, host::SumOrder{host::Order::pairwise, 1})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(fp32, strided, host::SumOrder{host::Order::strided, 1})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tensorCore, sm80_f16, Arch::sm80, OperandFormat::f16, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tensorCore, sm80_bf16, Arch::sm80, OperandFormat::bf16, false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tensorCore, sm80_tf32, Arch::sm80, OperandFormat::tf32, false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tensorCore, sm80_f16acc, Arch::sm80, OperandFormat::f16, true)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tensorCore, sm90_bf16, Arch::sm90, OperandFormat::bf16, false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tensorCore, sm90_tf32, Arch::sm90, OperandFormat::tf32, false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tensorCore, sm89_f8, Arch::sm89, OperandFormat::f8e4m3, false)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(int8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rounded, bf16, host::AccFormat::bf16)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(rounded, f16, host::AccFormat::f16)->Unit(benchmark::kMillisecond);

} // namespace

int main(int argc, char** argv) {
    benchmark::AddCustomContext("eigen_flags_of_the_project", eigen_sgemm::projectInstructionSet());
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
