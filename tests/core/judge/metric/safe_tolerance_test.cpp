#include "judge/metric/safe_tolerance.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "compare/scan.h"
#include "make_tensor.h"

namespace divdet {
namespace {

using Row = std::vector<double>;
using test::kInf;

std::int64_t guessOf(const Row& r) {
    return std::max_element(r.begin(), r.end()) - r.begin();
}

/// The candidate within the tolerance that favours word j most: as far as the judge lets it go.
Row worst(const Row& r, std::int64_t top, std::size_t j, const Tolerance& t) {
    const auto reach = [&](double x, double sign) {
        double c = x + sign * bound(t, std::fabs(x));
        while (!passes(t, c, x)) c = std::nextafter(c, x);
        return c;
    };
    Row c = r;
    c[static_cast<std::size_t>(top)] = reach(c[static_cast<std::size_t>(top)], -1);
    c[j] = reach(c[j], 1);
    return c;
}

bool anyFlips(const Row& r, const Tolerance& t) {
    const auto top = guessOf(r);
    for (std::size_t j = 0; j < r.size(); ++j)
        if (static_cast<std::int64_t>(j) != top && guessOf(worst(r, top, j, t)) != top) return true;
    return false;
}

Tolerance atolOnly(double atol) {
    return {Rule::allclose, 0, atol, false, {}};
}
Tolerance linked(double rtol) {
    return {Rule::allclose, rtol, linkedAtol(rtol), false, {}};
}

TEST(SafeTolerance, ByHand) {
    const ToleranceBound b = safeTolerance(Row{1, 3, 2}, 1);
    EXPECT_NEAR(b.atol, 0.5, 1e-12); // 3 - 0.5 meets 2 + 0.5
    EXPECT_NEAR(2 * linkedAtol(b.rtolLinked) + b.rtolLinked * 5, 1, 1e-12);
    // The runner-up is not always the first to be reached: a word far below zero has a larger bound.
    const ToleranceBound far = safeTolerance(Row{1000, 0, -4000}, 0);
    EXPECT_NEAR(far.atol, 500, 1e-9);
    EXPECT_LT(2 * linkedAtol(far.rtolLinked) + far.rtolLinked * 1000, 1000);
}

TEST(SafeTolerance, TiesAndWordsThatCannotCome) {
    const ToleranceBound tie = safeTolerance(Row{2, 2, 1}, 0), alone = safeTolerance(Row{2, -kInf}, 0);
    EXPECT_EQ(tie.atol, 0);
    EXPECT_EQ(tie.rtolLinked, 0);
    EXPECT_EQ(alone.atol, kInf);
    EXPECT_EQ(alone.rtolLinked, kInf);
}

RC_GTEST_PROP(SafeTolerance, NothingWithinItFlipsAndALittleMoreDoes, (std::uint32_t seed)) {
    const double scale = std::pow(10.0, *rc::gen::inRange(-6, 7));
    Row r = test::normals(*rc::gen::inRange<std::size_t>(2, 9), seed, scale);
    if (*rc::gen::arbitrary<bool>()) // a close race, as at the flips that matter
        r[0] = *std::max_element(r.begin(), r.end()) * (1 + 1e-5);
    const auto top = guessOf(r);
    const ToleranceBound b = safeTolerance(r, top);
    if (b.atol > 0) {
        RC_ASSERT(!anyFlips(r, atolOnly(b.atol)));
        RC_ASSERT(anyFlips(r, atolOnly(b.atol * (1 + 1e-6))));
    }
    if (b.rtolLinked > 0) {
        RC_ASSERT(!anyFlips(r, linked(b.rtolLinked)));
        RC_ASSERT(anyFlips(r, linked(b.rtolLinked * (1 + 1e-6))));
    }
}

/// The scan answers the same question for a whole tensor, from its frontier.
RC_GTEST_PROP(NeededTolerance, IsThatOfTheScan, (std::uint32_t seed)) {
    const Row r = test::normals(30, seed, 3), e = test::normals(30, seed + 1);
    const double size = std::pow(10.0, *rc::gen::inRange(-9, 2));
    Row c = r;
    for (std::size_t i = 0; i < r.size(); ++i) c[i] += i % 3 ? size * e[i] : 0;
    const ToleranceBound need = neededTolerance(r, c);
    auto summary = scan(test::f64(r).view(), test::f64(c).view(), {{}, false, {}, {}});
    RC_ASSERT(summary.ok());
    RC_ASSERT(need.atol == summary->maxAbs.value);
    const double expected = summary->neededRtolLinked({});
    RC_ASSERT(std::fabs(need.rtolLinked - expected) <= 1e-12 * expected);
}

TEST(NeededTolerance, EqualRowsNeedNoneAndInfinitiesEvery) {
    EXPECT_EQ(neededTolerance(Row{1, -kInf}, Row{1, -kInf}).atol, 0);
    EXPECT_EQ(neededTolerance(Row{1, -kInf}, Row{1, 2}).rtolLinked, kInf);
    EXPECT_EQ(neededTolerance(Row{1, 2}, Row{test::kNan, 2}).atol, kInf);
}

} // namespace
} // namespace divdet
