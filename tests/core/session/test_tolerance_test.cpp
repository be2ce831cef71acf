#include "session/test_tolerance.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "compare/scan.h"
#include "make_tensor.h"

namespace divdet {
namespace {

Comparison comparisonOf(const Tensor& r, const Tensor& c) {
    Comparison out;
    TapPair p;
    p.name = "p";
    p.referenceDType = r.dtype();
    p.candidateDType = c.dtype();
    p.referenceShape = p.candidateShape = r.shape();
    p.summary = std::make_shared<const Summary>(*scan(r.view(), c.view(), {Tolerance{}, false}));
    out.pairs.push_back(std::move(p));
    return out;
}

TEST(TestTolerance, RoundsUpAndNeverDown) {
    EXPECT_EQ(roundedUp(0, 2), 0);
    EXPECT_EQ(roundedUp(0.0123, 2), 0.013);
    EXPECT_EQ(roundedUp(0.012, 2), 0.012);
    EXPECT_EQ(roundedUp(0.0999, 2), 0.1);
    EXPECT_EQ(roundedUp(123, 2), 130);
    EXPECT_GE(roundedUp(5e-324, 2), 5e-324);
}

RC_GTEST_PROP(TestTolerance, RoundedUpIsTheNextNumberOfThoseDigits, ()) {
    const double x = std::ldexp(1.0 + *rc::gen::inRange(0, 1000000) / 1e6, *rc::gen::inRange(-300, 300));
    const double up = roundedUp(x, 2);
    RC_ASSERT(up >= x);
    RC_ASSERT(up <= x * 1.1000001);
}

RC_GTEST_PROP(TestTolerance, WhatItPrintsPasses, (std::uint32_t seed)) {
    std::vector<double> r = test::normals(200, seed), c = r;
    const auto noise = test::normals(200, seed + 1, std::pow(10.0, *rc::gen::inRange(-12, 0)));
    for (std::size_t i = 0; i < r.size(); ++i) c[i] += noise[i];
    if (*rc::gen::arbitrary<bool>()) r[0] = 0;
    const Comparison both = comparisonOf(test::f64(r), test::f64(c));
    for (Rule rule : {Rule::allclose, Rule::either}) {
        const auto tests = testTolerances(both, rule, false);
        RC_ASSERT(!tests.empty());
        for (const auto& t : tests) {
            RC_ASSERT(judge(both, {rule, t.rtol, t.atol, false}).outside == 0);
            RC_ASSERT(t.numpy.empty() == (rule == Rule::either));
        }
        // Not much more than is needed: a tenth less on both does not pass, the last digit apart.
        RC_ASSERT(judge(both, {rule, tests[0].rtol * 0.8, tests[0].atol * 0.8, false}).outside == 1);
    }
}

TEST(TestTolerance, SaysTheLines) {
    const auto tests =
        testTolerances(comparisonOf(test::f32({1, 2}), test::f32({1, 2.5f})), Rule::allclose, false);
    ASSERT_EQ(tests.size(), 3u);
    EXPECT_EQ(tests[1].what, "absolute only");
    EXPECT_EQ(tests[1].numpy, "numpy.testing.assert_allclose(candidate, reference, rtol=0, atol=0.51)");
    EXPECT_EQ(tests[1].torch, "torch.testing.assert_close(candidate, reference, rtol=0, atol=0.51)");
    const auto mixed =
        testTolerances(comparisonOf(test::f32({1, 2}), test::f64({1, 2})), Rule::allclose, true);
    ASSERT_EQ(mixed.size(), 1u);
    EXPECT_EQ(mixed[0].torch,
              "torch.testing.assert_close(candidate, reference, rtol=0, atol=0, equal_nan=True, "
              "check_dtype=False)");
}

TEST(TestTolerance, NoneWhereNothingPasses) {
    EXPECT_TRUE(
        testTolerances(comparisonOf(test::f64({1}), test::f64({test::kNan})), Rule::allclose, false).empty());
    EXPECT_TRUE(testTolerances(Comparison{}, Rule::allclose, false).empty());
}

} // namespace
} // namespace divdet
