#include <functional>

#include "cuda/gemm_simt.cuh"
#include "cuda/kernel_fixture.h"
#include "cuda/rows.cuh"
#include "host/rows.h"

/// Kernels whose blocks take several rows, as they do when there are more rows than a grid may have blocks:
/// the barriers at the end of a row matter only then.
namespace divdet {
namespace {

using numerics::Order;
using Floats = std::vector<float>;

constexpr std::size_t kRows = 11, kWidth = 301;
constexpr numerics::SumOrder kOrder{Order::strided, 1};
constexpr unsigned kBlocks = 2;

class CudaGridLoops : public testing::Test {
protected:
    void expectRows(const Floats& wanted, const std::function<void(float*)>& launch) {
        for (std::uint32_t seed = 1; seed <= 8; ++seed) {
            cuda_on_cpu::useOrder(seed);
            DeviceArray<float> y(wanted.size());
            launch(y.data());
            expectSame(y.values(), wanted);
        }
    }
    /// Some rows are masked, some hold a NaN: what one row finds must not reach the next.
    static Floats rows() {
        Floats x = Values(17).normal(kRows * kWidth, 3);
        for (std::size_t i = 0; i < kWidth; ++i) x[2 * kWidth + i] = x[6 * kWidth + i] = -INFINITY;
        x[4 * kWidth + 300] = NAN;
        return x;
    }

    Floats m_x = rows(), m_gain = Values(18).normal(kWidth);
    DeviceArray<float> m_from{m_x}, m_gains{m_gain};
};

TEST_F(CudaGridLoops, Softmax) {
    Floats wanted(m_x.size());
    host::softmax(m_x.data(), kRows, kWidth, kOrder, wanted.data());
    expectRows(wanted, [&](float* y) {
        DIVDET_LAUNCH(cuda::kernels::softmaxRows, kBlocks, cuda::kThreads, nullptr, m_from.data(), kRows,
                      kWidth, kOrder, false, y);
    });
}

TEST_F(CudaGridLoops, Norms) {
    Floats rms(m_x.size()), layer(m_x.size());
    host::rmsNorm(m_x.data(), m_gain.data(), 1e-6f, kRows, kWidth, kOrder, rms.data());
    host::layerNorm(m_x.data(), m_gain.data(), nullptr, 1e-6f, kRows, kWidth, kOrder, layer.data());
    expectRows(rms, [&](float* y) {
        DIVDET_LAUNCH(cuda::kernels::rmsNormRows, kBlocks, cuda::kThreads, nullptr, m_from.data(),
                      m_gains.data(), 1e-6f, kRows, kWidth, kOrder, false, y);
    });
    expectRows(layer, [&](float* y) {
        DIVDET_LAUNCH(cuda::kernels::layerNormRows, kBlocks, cuda::kThreads, nullptr, m_from.data(),
                      m_gains.data(), nullptr, 1e-6f, kRows, kWidth, kOrder, false, false, y);
    });
}

TEST_F(CudaGridLoops, Sums) {
    cuda::SumRule rule{{Order::splitK, 7}};
    rule.inChunks = rule.arrival = true;
    rule.seed = 5;
    Floats wanted(kRows), strided(kRows);
    host::sumRows(m_x.data(), kRows, kWidth, kOrder, strided.data());
    std::vector<std::uint32_t> p(7);
    numerics::arrivalOrder(5, 0, 0, p.data(), 7);
    for (std::size_t r = 0; r < kRows; ++r)
        wanted[r] = numerics::combinedChunks(numerics::SumTerms{&m_x[r * kWidth]}, kWidth, 7, 0.0f,
                                             numerics::PartialFormat::f32, p.data());
    const auto launch = [&](cuda::SumRule by, float* y) {
        DeviceArray<float> partials(kBlocks * 7);
        DeviceArray<std::uint32_t> arrivals(kBlocks * 7);
        DIVDET_LAUNCH(cuda::kernels::sumRows, kBlocks, cuda::kThreads, nullptr, m_from.data(), kRows, kWidth,
                      kWidth, by, partials.data(), arrivals.data(), y);
    };
    expectRows(wanted, [&](float* y) { launch(rule, y); });
    expectRows(strided, [&](float* y) { launch({kOrder}, y); });
}

TEST_F(CudaGridLoops, StridedProducts) {
    const host::GemmShape s{7, 13, 301};
    const Floats a = Values(19).normal(s.m * s.k), b = Values(20).normal(s.k * s.n);
    Floats wanted(s.m * s.n);
    host::gemmF32(s, a.data(), b.data(), {}, wanted.data(), kOrder);
    DeviceArray<float> x(a), y(b);
    expectRows(wanted, [&](float* c) {
        DIVDET_LAUNCH(cuda::kernels::gemmStrided, dim3(2, 2), cuda::kThreads, nullptr,
                      cuda::GemmShape{s.m, s.n, s.k}, cuda::Operands{x.data(), y.data(), s.k, s.n},
                      cuda::StartValues{}, c);
    });
}

} // namespace
} // namespace divdet
