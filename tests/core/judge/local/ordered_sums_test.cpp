#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "host/gemm.h"
#include "judge/local/ordered_sums.h"
#include "numerics/partials.h"
#include "numerics/tensor_core.h"

namespace divdet::local {
namespace {

struct Terms {
    std::vector<float> a, b;
    double magnitude = 0; ///< sum of |a_k b_k|
    double exact = 0;
};

/// Near-cancelling, same-sign and wide-ranging terms all come up.
Terms terms() {
    Terms t;
    const auto k = static_cast<std::size_t>(*rc::gen::inRange(1, 700));
    const bool positive = *rc::gen::arbitrary<bool>();
    const bool cancelling = *rc::gen::arbitrary<bool>();
    const int spread = *rc::gen::inRange(0, 12);
    std::uint32_t state = *rc::gen::arbitrary<std::uint32_t>() | 1;
    const auto next = [&] {
        state = state * 1664525u + 1013904223u;
        return static_cast<float>(state >> 8) * 0x1p-24f - (positive ? 0.0f : 0.5f);
    };
    long double exact = 0;
    for (std::size_t i = 0; i < k; ++i) {
        const bool opposite = cancelling && i % 2 && i > 0;
        t.a.push_back(opposite ? -t.a.back() : std::ldexp(next(), static_cast<int>(i) % (spread + 1)));
        t.b.push_back(opposite ? t.b.back() * 1.0000002f : next());
        const double p = static_cast<double>(t.a[i]) * t.b[i];
        t.magnitude += std::abs(p);
        exact += p;
    }
    t.exact = static_cast<double>(exact);
    return t;
}

Product product(const Terms& t) {
    Product p;
    p.m = p.n = 1, p.k = t.a.size();
    p.writeA().assign(t.a.begin(), t.a.end());
    p.writeB().assign(t.b.begin(), t.b.end());
    return p;
}

struct Sum {
    double value, slack;
};
Sum sum(const SumModel& model, const Terms& t) {
    Sum out{};
    RC_ASSERT(orderedProduct(model, product(t), nullptr, {&out.value, 1}, {&out.slack, 1}).ok());
    RC_ASSERT(std::abs(out.value - t.exact) <= 0x1p-42 * t.magnitude);
    return out;
}

SumModel model(lower::SumOrder order, std::size_t splits = 1) {
    SumModel m;
    m.order = order;
    m.splits = splits;
    return m;
}

/// The sum in fp32, in every published order, lies within the bound of its order and of any order; and the
/// bound of its order is never worse than that of any.
RC_GTEST_PROP(OrderedSums, HoldForEveryOrderOfFp32, ()) {
    const Terms t = terms();
    const auto splits = static_cast<std::size_t>(*rc::gen::inRange(1, 12));
    using Published = numerics::Order;
    using Lowered = lower::SumOrder;
    const std::pair<Published, Lowered> orders[] = {{Published::sequential, Lowered::published},
                                                    {Published::pairwise, Lowered::pairwise},
                                                    {Published::strided, Lowered::strided},
                                                    {Published::splitK, Lowered::splitK}};
    SumModel foreign;
    foreign.known = Order::any;
    const Sum any = sum(foreign, t);
    for (const auto& [published, lowered] : orders) {
        const float c =
            numerics::reduce(numerics::DotTerms{t.a.data(), t.b.data()}, t.a.size(), {published, splits});
        const Sum s = sum(model(lowered, splits), t);
        const double off = std::abs(c - t.exact) - 0x1p-149;
        RC_ASSERT(off <= s.slack);
        RC_ASSERT(off <= any.slack);
        RC_ASSERT(s.slack <= 1.03 * any.slack + 0x1p-140);
    }
}

RC_GTEST_PROP(OrderedSums, HoldForChunksInNarrowDtypesAndAnyArrival, ()) {
    const Terms t = terms();
    const auto splits = static_cast<std::size_t>(*rc::gen::inRange(1, 12));
    const bool narrow = *rc::gen::arbitrary<bool>();
    const auto format = narrow ? numerics::PartialFormat::bf16 : numerics::PartialFormat::f32;
    const std::size_t count = numerics::chunkCount(t.a.size(), numerics::chunkLength(t.a.size(), splits));
    std::vector<std::uint32_t> arrival(count);
    numerics::arrivalOrder(*rc::gen::arbitrary<std::uint64_t>(), 1, 2, arrival.data(), count);
    const numerics::DotTerms dot{t.a.data(), t.b.data()};
    for (const bool atomics : {false, true}) {
        SumModel m = model(atomics ? lower::SumOrder::atomics : lower::SumOrder::splitK, splits);
        m.partialsRounded = narrow;
        if (narrow) m.partialUnit = 0x1p-8;
        const float c = numerics::combinedChunks(dot, t.a.size(), splits, 0.0f, format,
                                                 atomics ? arrival.data() : nullptr);
        RC_ASSERT(std::abs(c - t.exact) <= sum(m, t).slack + 0x1p-149);
    }
}

RC_GTEST_PROP(OrderedSums, HoldForTensorCores, ()) {
    Terms t = terms();
    const auto arch = *rc::gen::element(numerics::Arch::sm80, numerics::Arch::sm89, numerics::Arch::sm90,
                                        numerics::Arch::sm100);
    const bool wide = *rc::gen::arbitrary<bool>();
    const auto format = wide ? numerics::OperandFormat::tf32 : numerics::OperandFormat::bf16;
    t.exact = t.magnitude = 0;
    for (std::size_t i = 0; i < t.a.size(); ++i) {
        for (float* x : {&t.a[i], &t.b[i]})
            *x = wide ? numerics::roundToTf32(*x, numerics::Tf32Rounding::nearestEven)
                      : numerics::roundToBf16(*x);
        t.exact += static_cast<double>(t.a[i]) * t.b[i];
        t.magnitude += std::abs(static_cast<double>(t.a[i]) * t.b[i]);
    }
    SumModel m;
    m.spec = numerics::tcSpec(arch, format);
    float c = 0;
    host::gemmTensorCore({1, 1, t.a.size()}, t.a.data(), t.b.data(), host::Start(), &c, m.spec, 1);
    const Sum known = sum(m, t);
    RC_ASSERT(std::abs(c - t.exact) <= known.slack + 0x1p-149);
    m.known = Order::any;
    RC_ASSERT(known.slack <= 1.03 * sum(m, t).slack + 0x1p-140);
}

/// Foreign sums beyond a thousand terms: honest ones stay far within the likely bound, where the one that
/// every order keeps has gone blind to an fp16 running sum.
TEST(OrderedSums, LikelyBoundSeesWhereThatOfAnyOrderIsBlind) {
    constexpr int kSums = 200;
    int seen = 0, seenByAny = 0;
    double honest = 0;
    std::uint32_t state = 5;
    const auto next = [&] { // the sum of four is normal enough
        float sum = 0;
        for (int i = 0; i < 4; ++i) {
            state = state * 1664525u + 1013904223u;
            sum += static_cast<float>(state >> 8) * 0x1p-24f - 0.5f;
        }
        return sum;
    };
    for (int n = 0; n < kSums; ++n) {
        Terms t;
        float fp32 = 0, fp16 = 0;
        for (int i = 0; i < 16384; ++i) {
            t.a.push_back(next());
            t.b.push_back(next());
            t.exact += static_cast<double>(t.a.back()) * t.b.back();
            fp32 = std::fma(t.a.back(), t.b.back(), fp32);
            fp16 = numerics::roundToF16(std::fma(t.a.back(), t.b.back(), fp16));
        }
        SumModel likely, any;
        likely.known = Order::likely;
        any.known = Order::any;
        Sum l{}, a{};
        ASSERT_TRUE(orderedProduct(likely, product(t), nullptr, {&l.value, 1}, {&l.slack, 1}).ok());
        ASSERT_TRUE(orderedProduct(any, product(t), nullptr, {&a.value, 1}, {&a.slack, 1}).ok());
        EXPECT_LT(l.slack, a.slack);
        honest = std::max(honest, std::abs(fp32 - t.exact) / l.slack);
        seen += std::abs(fp16 - t.exact) > l.slack;
        seenByAny += std::abs(fp16 - t.exact) > a.slack;
    }
    EXPECT_LT(honest, 0.3);
    EXPECT_GT(seen, kSums / 2);
    EXPECT_LT(seenByAny, kSums / 20);
    RecordProperty("honest", std::to_string(honest));
    RecordProperty("seen", seen);
}

RC_GTEST_PROP(OrderedSums, LikelyIsAnyUpToAThousandTermsAndNeverWider, ()) {
    const Terms t = terms(); // at most 700
    SumModel likely, any;
    likely.known = Order::likely;
    any.known = Order::any;
    RC_ASSERT(sum(likely, t).slack == sum(any, t).slack);
}

/// The bound is worth having: a bf16 running sum breaks it for nearly every long sum.
TEST(OrderedSums, AreBrokenByANarrowAccumulator) {
    int beyond = 0;
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        Terms t;
        std::uint32_t state = seed;
        float narrow = 0;
        for (int i = 0; i < 1024; ++i) {
            state = state * 1664525u + 1013904223u;
            t.a.push_back(static_cast<float>(state >> 8) * 0x1p-24f - 0.5f);
            state = state * 1664525u + 1013904223u;
            t.b.push_back(static_cast<float>(state >> 8) * 0x1p-24f - 0.5f);
            t.exact += static_cast<double>(t.a.back()) * t.b.back();
            narrow = numerics::roundToBf16(std::fma(t.a.back(), t.b.back(), narrow));
        }
        Sum s{};
        ASSERT_TRUE(orderedProduct({}, product(t), nullptr, {&s.value, 1}, {&s.slack, 1}).ok());
        beyond += std::abs(narrow - t.exact) > s.slack;
    }
    EXPECT_GE(beyond, 98);
}

} // namespace
} // namespace divdet::local
