#include "kernel_test_support.h"

using namespace divdet;
using host::GemmShape;
using host::Order;
using host::Start;
using host::SumOrder;

namespace {

constexpr SumOrder kOrders[] = {{Order::sequential, 1}, {Order::pairwise, 1}, {Order::strided, 1},
                                {Order::splitK, 2},     {Order::splitK, 8},   {Order::splitK, 100}};

class GemmF32 : public AllTargets {
protected:
    /// Elements whose bits differ from the scalar definition.
    static int mismatches(GemmShape s, const std::vector<float>& a, const std::vector<float>& b, Start start,
                          SumOrder order) {
        std::vector<float> c(s.m * s.n, -1.0f);
        host::gemmF32(s, a.data(), b.data(), start, c.data(), order);
        int count = 0;
        for (std::size_t i = 0; i < s.m; ++i) {
            for (std::size_t j = 0; j < s.n; ++j) {
                const float first = start.values ? start.values[start.perColumn ? j : i * s.n + j] : 0.0f;
                const numerics::DotTerms t{a.data() + i * s.k, b.data() + j, 1, s.n};
                count += !sameValue(c[i * s.n + j], numerics::reduce(t, s.k, order, first));
            }
        }
        return count;
    }
};

} // namespace

TEST_F(GemmF32, EqualsTheScalarDefinition) {
    Values values(1);
    for (const GemmShape& s : oddShapes()) {
        const auto a = values.normal(s.m * s.k), b = values.normal(s.k * s.n),
                   init = values.normal(s.m * s.n);
        forEachTarget([&] {
            for (const SumOrder& o : kOrders) {
                EXPECT_EQ(mismatches(s, a, b, nullptr, o), 0) << s.m << ' ' << s.n << ' ' << s.k;
                EXPECT_EQ(mismatches(s, a, b, init.data(), o), 0);
                EXPECT_EQ(mismatches(s, a, b, Start::bias(init.data()), o), 0);
            }
        });
    }
}

TEST_F(GemmF32, AnyBitsAtAll) {
    Values values(2);
    const GemmShape s{5, 70, 37};
    for (int round = 0; round < 4; ++round) {
        auto a = values.anyBits(s.m * s.k), b = values.normal(s.k * s.n, 1e-30f);
        values.spoil(b, 5);
        forEachTarget([&] {
            for (const SumOrder& o : kOrders) EXPECT_EQ(mismatches(s, a, b, nullptr, o), 0);
        });
    }
}
