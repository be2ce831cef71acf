#include <algorithm>

#include <gtest/gtest.h>

#include "compare/comparison.h"
#include "compare/scan.h"
#include "make_tensor.h"

namespace divdet {
namespace {

using test::f64;
using test::kNan;

PairVerdict verdictOf(const Tensor& r, const Tensor& c, const Tolerance& t) {
    auto s = scan(r.view(), c.view(), {t});
    EXPECT_TRUE(s.ok());
    return judge(*s, t);
}

TEST(Verdict, AToleranceThatZerosPassIsInconclusive) {
    const Tensor r = f64({1e-4, -5e-4}), c = f64({2e-4, -5e-4});
    EXPECT_EQ(verdictOf(r, c, {Rule::allclose, 1e-2, 1e-3, false}).verdict, Verdict::inconclusive);
    EXPECT_EQ(verdictOf(r, c, {Rule::either, 1e-2, 1e-3, false}).verdict, Verdict::inconclusive);
    EXPECT_EQ(verdictOf(r, c, {Rule::allclose, 1.0, 0, false}).verdict, Verdict::inconclusive);
    EXPECT_EQ(verdictOf(r, c, {Rule::allclose, 1e-2, 4e-4, false}).verdict, Verdict::within);
    EXPECT_EQ(verdictOf(r, c, {Rule::allclose, 1e-2, 1e-5, false}).verdict, Verdict::outside);
}

TEST(Verdict, EqualTensorsAreWithinAtAnyTolerance) {
    const Tensor r = f64({1e-4, -5e-4});
    EXPECT_EQ(verdictOf(r, r, {Rule::allclose, 1, 1, false}).verdict, Verdict::within);
}

TEST(Verdict, RelativeErrorsThatSayNothingAreACaution) {
    const auto cautions = [](const Tensor& r, const Tensor& c) {
        Comparison all;
        all.pairs.emplace_back().summary = std::make_shared<const Summary>(*scan(r.view(), c.view(), {}));
        return judge(all, {}).taps[0].cautions;
    };
    const auto has = [&](const Tensor& r, const Tensor& c) {
        const auto list = cautions(r, c);
        return std::find(list.begin(), list.end(), "near-zero-reference") != list.end();
    };
    EXPECT_TRUE(has(f64({1, 0}), f64({1, 1e-9})));
    EXPECT_TRUE(has(f64({1, 1e-310}), f64({1, 2e-310})));
    EXPECT_FALSE(has(f64({1, 0}), f64({1.1, 0}))); // zero on both sides, as after a ReLU
    EXPECT_FALSE(has(f64({1, 2}), f64({1.1, 2})));
}

TEST(Verdict, AZeroReferenceIsNotVacuous) {
    EXPECT_EQ(verdictOf(f64({0, 0}), f64({1e-4, 0}), {Rule::allclose, 1e-2, 1e-3, false}).verdict,
              Verdict::within);
}

TEST(Verdict, NanInTheReferenceIsNotPassedByZeros) {
    const Tensor r = f64({1e-4, kNan});
    EXPECT_EQ(verdictOf(r, f64({1.1e-4, kNan}), {Rule::allclose, 1e-2, 1e-3, true}).verdict, Verdict::within);
}

TEST(Verdict, NothingButNanIsInconclusive) {
    const Tensor r = f64({kNan, kNan});
    EXPECT_EQ(verdictOf(r, r, {Rule::allclose, 1e-2, 1e-3, true}).verdict, Verdict::inconclusive);
    EXPECT_EQ(verdictOf(r, r, {Rule::allclose, 1e-2, 1e-3, false}).verdict, Verdict::inconclusive);
}

TEST(Verdict, TwoEmptyTensorsAreWithin) {
    const Tensor r = f64({}, {0, 3});
    EXPECT_EQ(verdictOf(r, r, {}).verdict, Verdict::within);
}

TEST(Verdict, TheWorstOneWins) {
    const Verdict order[] = {Verdict::within,       Verdict::inconclusive, Verdict::incomplete,
                             Verdict::incomparable, Verdict::unreadable,   Verdict::outside};
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) EXPECT_EQ(worse(order[i], order[j]), order[std::max(i, j)]);
    EXPECT_EQ(exitCode(Verdict::within), 0);
    EXPECT_EQ(exitCode(Verdict::outside), 1);
    EXPECT_EQ(exitCode(Verdict::unreadable), 2);
    EXPECT_EQ(exitCode(Verdict::incomplete), 3);
}

TapPair pairOf(const char* name, const Tensor& r, const Tensor& c, bool judged) {
    TapPair p;
    p.name = name;
    p.judged = judged;
    p.summary = std::make_shared<const Summary>(*scan(r.view(), c.view(), {}));
    return p;
}

TEST(Judgement, TracedTapsDoNotDecide) {
    Comparison c;
    c.pairs.push_back(pairOf("inner", f64({1, 2}), f64({1, 3}), false));
    c.pairs.push_back(pairOf("out", f64({1, 2}), f64({1, 2.0001}), true));
    const Judgement j = judge(c, {});
    EXPECT_EQ(j.verdict, Verdict::within);
    EXPECT_TRUE(j.taps[0].over);
    EXPECT_EQ(j.taps[0].mismatches.low, 1);
    EXPECT_EQ(j.within, 1);
    EXPECT_EQ(j.outside, 0);
    EXPECT_EQ(j.worstTap, 1);
}

TEST(Judgement, MissingTapsMakeItIncomplete) {
    Comparison c;
    c.pairs.push_back(pairOf("out", f64({1, 2}), f64({1, 2.0001}), true));
    c.onlyInReference = {"lost"};
    c.missingJudged = true;
    EXPECT_EQ(judge(c, {}).verdict, Verdict::incomplete);
}

TEST(Judgement, NothingJudgedIsInconclusive) {
    EXPECT_EQ(judge(Comparison{}, {}).verdict, Verdict::inconclusive);
}

TEST(Judgement, CountsAreBoundsAwayFromTheScannedTolerance) {
    Comparison c;
    c.pairs.push_back(pairOf("out", f64(test::normals(1000, 1)), f64(test::normals(1000, 2)), true));
    const Judgement j = judge(c, {Rule::allclose, 1e-3, 1e-4, false});
    const Summary& s = *c.pairs[0].summary;
    EXPECT_LE(j.taps[0].mismatches.low, j.taps[0].mismatches.high);
    EXPECT_GT(j.taps[0].mismatches.high, 0);
    EXPECT_EQ(j.verdict, Verdict::outside);
    EXPECT_EQ(s.elements, 1000);
}

} // namespace
} // namespace divdet
