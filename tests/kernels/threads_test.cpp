#include <tbb/global_control.h>

#include "host/rows.h"
#include "kernel_test_support.h"

using namespace divdet;
using host::GemmShape;

namespace {

/// Every product of one shape, one after the other, as bits.
std::vector<std::uint32_t> everything(GemmShape s, const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<std::uint32_t> bits;
    std::vector<float> c(s.m * s.n);
    const auto keep = [&] {
        for (const float x : c) bits.push_back(numerics::bitsOf(x));
    };
    for (const host::Order o :
         {host::Order::sequential, host::Order::pairwise, host::Order::strided, host::Order::splitK}) {
        host::gemmF32(s, a.data(), b.data(), nullptr, c.data(), {o, 4});
        keep();
    }
    for (const auto format : {numerics::OperandFormat::tf32, numerics::OperandFormat::bf16}) {
        host::gemmTensorCore(s, a.data(), b.data(), nullptr, c.data(), tcSpec(numerics::Arch::sm80, format),
                             2);
        keep();
    }
    for (const host::AccFormat f : {host::AccFormat::bf16, host::AccFormat::f16}) {
        host::gemmRoundedAccumulator(s, a.data(), b.data(), nullptr, c.data(), f);
        keep();
    }
    host::rmsNorm(a.data(), b.data(), 1e-5f, s.m, s.k, host::kNormOrder, c.data());
    keep();
    return bits;
}

} // namespace

TEST(Threads, ResultsDoNotDependOnTheirNumber) {
    Values values(1);
    const GemmShape s{130, 200, 97};
    auto a = values.normal(s.m * s.k), b = values.normal(s.k * s.n);
    for (float& x : a) x = numerics::roundToBf16(x);
    for (float& x : b) x = numerics::roundToBf16(x);
    std::vector<std::uint32_t> first;
    for (const std::size_t threads : {1u, 2u, 3u, 8u}) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
        const auto bits = everything(s, a, b);
        if (first.empty()) first = bits;
        EXPECT_EQ(bits, first) << threads << " threads";
    }
}
