#include "host/twin_multiply.h"

#include "effort.h"
#include "kernel_test_support.h"
#include "product_oracle.h"

/// Every value of every slot of a product, alone and together, bit for bit against plain loops.
namespace divdet {
namespace {

using lower::Accumulator;
using lower::Operand;
using lower::Slots;
using lower::SumOrder;
using numerics::Arch;

std::vector<Slots> operands() {
    std::vector<Slots> all;
    for (const Operand o : {Operand::f32, Operand::tf32, Operand::bf16, Operand::fp16}) {
        all.emplace_back();
        all.back().operand = o;
    }
    for (const int group : {32, 128}) {
        all.emplace_back();
        all.back().operand = Operand::int4;
        all.back().group = group;
    }
    for (const auto format : {lower::Fp8Format::e4m3, lower::Fp8Format::e5m2}) {
        all.emplace_back();
        all.back().operand = Operand::fp8;
        all.back().fp8Format = format;
    }
    for (const auto granularity : {lower::Granularity::perToken, lower::Granularity::perTensor}) {
        all.emplace_back();
        all.back().operand = Operand::int8;
        all.back().granularity = granularity;
    }
    return all;
}

bool possible(const Slots& s) {
    const bool tree = s.order == SumOrder::pairwise || s.order == SumOrder::strided;
    const bool one = s.accumulator == Accumulator::bf16 || s.accumulator == Accumulator::fp16;
    if (s.accumulator == Accumulator::instructionFp16 && s.operand != Operand::fp16) return false;
    if ((one || s.operand == Operand::int8) && s.order != SumOrder::published) return false;
    return !tree || s.operand == Operand::f32 || s.operand == Operand::int4;
}

/// Operands × accumulators × orders × dtypes of partials, as far as lowering lets them meet.
std::vector<Slots> arithmetics() {
    std::vector<Slots> all;
    for (const Slots& base : operands())
        for (const auto accumulator :
             {Accumulator::native, Accumulator::bf16, Accumulator::fp16, Accumulator::instructionFp16})
            for (const auto order : {SumOrder::published, SumOrder::pairwise, SumOrder::strided,
                                     SumOrder::splitK, SumOrder::atomics})
                for (const DType partials : {DType::f32, DType::bf16, DType::f16}) {
                    const bool chunks = order == SumOrder::splitK || order == SumOrder::atomics;
                    Slots s = base;
                    s.accumulator = accumulator;
                    s.order = order;
                    s.splits = chunks ? 3 : 1;
                    s.orderSeed = order == SumOrder::atomics ? 11 : 0;
                    s.partials = partials;
                    if (possible(s) && (chunks || partials == DType::f32)) all.push_back(s);
                }
    return all;
}

class TwinMultiply : public AllTargets {
protected:
    void check(const Slots& slots, Arch arch, host::GemmShape s, const std::vector<float>& a,
               const std::vector<float>& b, const std::vector<float>& init) {
        SCOPED_TRACE(testing::Message() << lower::toString(slots) << " on sm_" << static_cast<int>(arch)
                                        << ", " << s.m << ' ' << s.n << ' ' << s.k);
        const ProductOracle oracle(slots, arch, s, a, b);
        for (const host::Start& start :
             {host::Start(), host::Start(init.data()), host::Start::bias(init.data())}) {
            std::vector<float> c(s.m * s.n, -1.0f);
            const auto done = host::twin::multiply(slots, arch, s, a.data(), b.data(), start, c.data());
            ASSERT_TRUE(done.ok()) << done.error().text();
            int wrong = 0;
            for (std::size_t i = 0; i < s.m; ++i)
                for (std::size_t j = 0; j < s.n; ++j) {
                    const float first = start.values ? init[start.perColumn ? j : i * s.n + j] : 0.0f;
                    const float want = oracle.at(i, j, first);
                    // Without a start a scaled zero keeps the sign that the product gives it.
                    wrong += !(sameValue(c[i * s.n + j], want) ||
                               (!start.values && c[i * s.n + j] == 0 && want == 0));
                }
            EXPECT_EQ(wrong, 0);
        }
    }

    void check(const Slots& slots, Arch arch, host::GemmShape s) {
        Values values(static_cast<std::uint32_t>(s.k));
        const auto a = values.normal(s.m * s.k), b = values.normal(s.k * s.n, 0.2f),
                   init = values.normal(s.m * s.n);
        check(slots, arch, s, a, b, init);
    }
};

constexpr host::GemmShape kShapes[] = {
    {1, 1, 1}, {5, 11, 67}, test::effort<host::GemmShape>({18, 35, 130}, {17, 33, 66}), {3, 17, 0}};

TEST_F(TwinMultiply, EveryArithmetic) {
    for (const Slots& s : arithmetics())
        for (const Arch arch : {Arch::sm80, Arch::sm89, Arch::sm90, Arch::sm100})
            for (const auto& shape : kShapes) check(s, arch, shape);
}

TEST_F(TwinMultiply, EveryArithmeticOnEveryInstructionSet) {
    forEachTarget([&] {
        for (const Slots& s : arithmetics()) check(s, Arch::sm90, {5, 37, 50});
    });
}

TEST_F(TwinMultiply, DroppedTailInEveryArithmetic) {
    for (Slots s : arithmetics()) {
        s.tailTile = 32;
        for (const auto& shape : {host::GemmShape{5, 11, 67}, {4, 33, 31}}) check(s, Arch::sm80, shape);
        s.tailTile = 64;
        check(s, Arch::sm80, {3, 5, 64}); // nothing to drop
    }
}

TEST_F(TwinMultiply, MissingBarrierInEveryArithmetic) {
    for (Slots s : arithmetics()) {
        s.missingBarrier = true;
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            s.barrierSeed = seed;
            s.tailTile = seed == 3 ? 32 : 0;
            check(s, Arch::sm80, {18, 35, 40});
        }
    }
}

TEST_F(TwinMultiply, DroppedTailIsTheProductWithoutItsLastTerms) {
    Values values(5);
    const auto a = values.normal(2 * 37), b = values.normal(37 * 3);
    Slots s;
    s.tailTile = 16;
    std::vector<float> c(6);
    ASSERT_TRUE(host::twin::multiply(s, Arch::sm80, {2, 3, 37}, a.data(), b.data(), nullptr, c.data()).ok());
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            float sum = 0;
            for (std::size_t k = 0; k < 32; ++k) sum = std::fma(a[i * 37 + k], b[k * 3 + j], sum);
            EXPECT_EQ(c[i * 3 + j], sum);
        }
}

TEST_F(TwinMultiply, WrongScales) {
    for (const auto scales :
         {lower::Scales::clippedWeight, lower::Scales::clippedActivation, lower::Scales::neighbour})
        for (const auto granularity : {lower::Granularity::perToken, lower::Granularity::perTensor})
            for (const int channel : {0, 4, 10, 25}) {
                Slots s;
                s.operand = Operand::int8;
                s.granularity = granularity;
                s.scales = scales;
                s.scaleChannel = channel;
                s.clip = scales == lower::Scales::neighbour ? 1.0f : 0.25f;
                check(s, Arch::sm80, {5, 11, 67});
                s.accumulator = Accumulator::bf16;
                check(s, Arch::sm80, {5, 11, 67});
            }
}

/// A clipped channel saturates; all others keep their bits.
TEST_F(TwinMultiply, ClippingTouchesOneChannelOnly) {
    Values values(6);
    const host::GemmShape shape{4, 9, 200};
    const auto a = values.normal(shape.m * shape.k), b = values.normal(shape.k * shape.n);
    Slots right, wrong;
    right.operand = wrong.operand = Operand::int8;
    wrong.scales = lower::Scales::clippedWeight;
    wrong.scaleChannel = 3;
    wrong.clip = 0.1f;
    std::vector<float> x(36), y(36);
    ASSERT_TRUE(host::twin::multiply(right, Arch::sm80, shape, a.data(), b.data(), nullptr, x.data()).ok());
    ASSERT_TRUE(host::twin::multiply(wrong, Arch::sm80, shape, a.data(), b.data(), nullptr, y.data()).ok());
    for (std::size_t i = 0; i < 36; ++i) {
        if (i % 9 == 3)
            EXPECT_GT(std::fabs(x[i] - y[i]), 0.02f);
        else
            EXPECT_EQ(x[i], y[i]);
    }
}

TEST_F(TwinMultiply, Fp16OverflowsToInfinity) {
    const host::GemmShape shape{1, 1, 64};
    const std::vector<float> large(64, 60.0f); // 64 * 3600 is beyond 65504
    for (const Accumulator accumulator : {Accumulator::fp16, Accumulator::instructionFp16}) {
        Slots s;
        s.operand = Operand::fp16;
        s.accumulator = accumulator;
        float c = 0;
        ASSERT_TRUE(host::twin::multiply(s, Arch::sm80, shape, large.data(), large.data(), nullptr, &c).ok());
        EXPECT_TRUE(numerics::isInf(c));
    }
    Slots integers;
    integers.operand = Operand::int8;
    integers.accumulator = Accumulator::fp16; // 127 * 127 * 5 is beyond 65504 too
    float c = 0;
    ASSERT_TRUE(
        host::twin::multiply(integers, Arch::sm80, shape, large.data(), large.data(), nullptr, &c).ok());
    EXPECT_TRUE(numerics::isInf(c));
}

TEST_F(TwinMultiply, SpecialValuesGoThrough) {
    Values values(7);
    const host::GemmShape shape{6, 19, 40};
    auto a = values.normal(shape.m * shape.k), b = values.normal(shape.k * shape.n);
    const auto init = values.normal(shape.m * shape.n);
    values.spoil(a, 3);
    values.spoil(b, 3);
    for (const Slots& s : arithmetics()) {
        const bool scaled = s.operand == Operand::int8 || s.operand == Operand::fp8;
        if (!scaled) check(s, Arch::sm90, shape, a, b, init);
    }
}

TEST_F(TwinMultiply, AtomicsChangeWithTheSeedAndRaceWithItsOwn) {
    Values values(8);
    const host::GemmShape shape{33, 40, 300};
    const auto a = values.normal(shape.m * shape.k), b = values.normal(shape.k * shape.n);
    const auto run = [&](const Slots& s) {
        std::vector<float> c(shape.m * shape.n);
        EXPECT_TRUE(host::twin::multiply(s, Arch::sm80, shape, a.data(), b.data(), nullptr, c.data()).ok());
        return c;
    };
    Slots atomics;
    atomics.order = SumOrder::atomics;
    atomics.splits = 8;
    const auto first = run(atomics);
    EXPECT_EQ(first, run(atomics));
    atomics.orderSeed = 1;
    const auto second = run(atomics);
    EXPECT_NE(first, second);
    for (std::size_t i = 0; i < first.size(); ++i) ASSERT_NEAR(first[i], second[i], 1e-4);
    Slots race;
    const auto clean = run(race);
    race.missingBarrier = true;
    std::vector<std::vector<float>> seen;
    for (race.barrierSeed = 0; race.barrierSeed < 8; ++race.barrierSeed) seen.push_back(run(race));
    std::size_t differing = 0;
    for (const auto& c : seen) differing += c != clean;
    EXPECT_GT(differing, 3u); // nine tiles, one in eight is hit: a run without a hit is rare
    EXPECT_NE(seen[0], seen[1]);
}

/// Wider than the piece of C that is held once for each chunk, and not by whole tiles.
TEST_F(TwinMultiply, AtomicsInAWideProductDrawTheOrderOfEachTile) {
    Slots s;
    s.order = SumOrder::atomics;
    s.splits = 3;
    s.orderSeed = 11;
    check(s, Arch::sm80, {17, 8192 + 21, 7});
    s.operand = Operand::bf16;
    check(s, Arch::sm80, {2, 4096 + 1, 40});
}

TEST_F(TwinMultiply, SumsFollowTheSlots) {
    Values values(9);
    const std::size_t rows = 20, k = 333;
    const auto x = values.normal(rows * k);
    for (const auto order :
         {SumOrder::published, SumOrder::pairwise, SumOrder::strided, SumOrder::splitK, SumOrder::atomics})
        for (const DType partials : {DType::f32, DType::bf16, DType::f16})
            for (const int tail : {0, 64}) {
                Slots s;
                s.order = order;
                s.partials = partials;
                s.tailTile = tail;
                s.splits = order == SumOrder::splitK || order == SumOrder::atomics ? 7 : 1;
                const std::vector<float> ones(k, 1.0f);
                std::vector<float> sums(rows);
                const auto done =
                    host::twin::sumBySlots(s, x.data(), rows, k, numerics::Order::sequential, sums.data());
                if (partials != DType::f32 && s.splits == 1) {
                    EXPECT_EQ(done.error().code, ErrorCode::unsupported);
                    continue;
                }
                ASSERT_TRUE(done.ok());
                // A sum is the product with ones: fma(x, 1, s) is x + s.
                const ProductOracle oracle(s, Arch::sm80, {rows, 1, k}, x, ones);
                for (std::size_t r = 0; r < rows; ++r) EXPECT_EQ(sums[r], oracle.at(r, 0, 0.0f));
            }
}

TEST_F(TwinMultiply, RefusesWhatHasNoArithmetic) {
    const std::vector<float> x(4, 1.0f);
    float c = 0;
    const auto refused = [&](const Slots& s, Arch arch) {
        const auto done = host::twin::multiply(s, arch, {1, 1, 4}, x.data(), x.data(), nullptr, &c);
        return !done.ok() && done.error().code == ErrorCode::unsupported;
    };
    Slots s;
    s.operand = Operand::bf16;
    EXPECT_TRUE(refused(s, Arch::sm75)); // Turing multiplies fp16 only
    EXPECT_FALSE(refused(s, Arch::sm80));
    s.order = SumOrder::pairwise;
    EXPECT_TRUE(refused(s, Arch::sm80));
    s = {};
    s.accumulator = Accumulator::instructionFp16;
    EXPECT_TRUE(refused(s, Arch::sm80));
    s = {};
    s.partials = DType::bf16;
    EXPECT_TRUE(refused(s, Arch::sm80));
}

} // namespace
} // namespace divdet
