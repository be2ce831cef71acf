// Time per product of every GEMM on the default block's shapes, one thread, beside Eigen's sgemm from the
// same run and flags. Counters: ns/product, and `vs_eigen` = this time / Eigen's time.
#include <chrono>
#include <vector>

#include <Eigen/Core>
#include <benchmark/benchmark.h>
#include <tbb/global_control.h>

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

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Seconds of one Eigen product, the best of five; measured once.
double eigenSeconds() {
    static const double best = [] {
        const auto n = static_cast<Eigen::Index>(kShape.n);
        const auto k = static_cast<Eigen::Index>(kShape.k);
        const Matrix a = Matrix::Random(static_cast<Eigen::Index>(kShape.m), k);
        const Matrix b = Matrix::Random(k, n);
        Matrix c(static_cast<Eigen::Index>(kShape.m), n);
        double least = 1e9;
        for (int i = 0; i < 5; ++i) {
            const auto begin = std::chrono::steady_clock::now();
            c.noalias() = a * b;
            benchmark::DoNotOptimize(c.data());
            const std::chrono::duration<double> t = std::chrono::steady_clock::now() - begin;
            least = std::min(least, t.count());
        }
        return least;
    }();
    return best;
}

template <class F>
void measure(benchmark::State& state, const F& product) {
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    const double eigen = eigenSeconds();
    double least = 1e9;
    for (auto _ : state) {
        const auto begin = std::chrono::steady_clock::now();
        product();
        const std::chrono::duration<double> t = std::chrono::steady_clock::now() - begin;
        least = std::min(least, t.count());
    }
    state.counters["ns/product"] = least * 1e9 / kProducts;
    state.counters["vs_eigen"] = least / eigen;
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

BENCHMARK_MAIN();
