// The frontier must give the verdict of a scan over all elements, at every tolerance.
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "compare/frontier.h"
#include "effort.h"

namespace divdet {
namespace {

using Points = std::vector<FrontierPoint>;

Frontier build(const Points& points) {
    FrontierBuilder b;
    for (const auto& p : points) b.add(p.magnitude, p.error);
    return b.finish();
}

bool scanPasses(const Points& points, const Tolerance& t) {
    for (const auto& p : points)
        if (!passesFinite(t, p.error, p.magnitude)) return false;
    return true;
}

FrontierAnswer expected(const Points& points, const Tolerance& t) {
    return scanPasses(points, t) ? FrontierAnswer::passes : FrontierAnswer::fails;
}

/// Tolerances that are hard to get right: every corner of the curve and its neighbours in floating point.
std::vector<Tolerance> hardTolerances(const Frontier& f, Rule rule) {
    std::vector<Tolerance> out;
    for (const auto& [rtol, atol] : f.corners(rule))
        for (double r : {std::nextafter(rtol, 0), rtol, std::nextafter(rtol, 1e300)})
            for (double a : {std::nextafter(atol, 0), atol, std::nextafter(atol, 1e300)})
                if (r >= 0 && a >= 0) out.push_back({rule, r, a, false});
    return out;
}

void expectAgrees(const Points& points, std::uint32_t seed) {
    const Frontier f = build(points);
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> exponent(-10, 1);
    for (Rule rule : {Rule::allclose, Rule::either}) {
        auto tolerances = hardTolerances(f, rule);
        for (int i = 0; i < 200; ++i)
            tolerances.push_back(
                {rule, std::pow(10, exponent(engine)), std::pow(10, exponent(engine)), false});
        for (int i = 0; i < 50; ++i) { // on the curve itself
            const double rtol = std::pow(10, exponent(engine));
            const double atol = f.neededAtol(rule, rtol);
            if (!std::isfinite(atol)) continue;
            tolerances.push_back({rule, rtol, atol, false});
            tolerances.push_back({rule, rtol, std::nextafter(atol, 0), false});
        }
        for (const auto& t : tolerances)
            ASSERT_EQ(f.answer(t), expected(points, t))
                << toString(rule) << " rtol " << t.rtol << " atol " << t.atol << " of " << points.size();
    }
}

Points randomPoints(std::size_t n, std::uint32_t seed) {
    std::mt19937 engine(seed);
    std::normal_distribution<double> d;
    Points out(n);
    for (auto& p : out) p = {std::fabs(d(engine)), std::fabs(d(engine)) * 1e-3 + 1e-9};
    return out;
}

TEST(Frontier, AgreesWithAScanOnRandomPoints) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) expectAgrees(randomPoints(3000, seed), seed);
}

/// More points than are collected before the first compaction, so that most are dropped as they come; the
/// curve rises slowly to the end, so that a bound which is a little too high loses it.
TEST(Frontier, AgreesWhenPointsAreDroppedEarly) {
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
        Points points = randomPoints(60000, seed);
        for (std::size_t i = 0; i < points.size(); ++i) points[i].error *= 1 + 1e-5 * static_cast<double>(i);
        expectAgrees(points, seed);
        // Points of one magnitude whose error creeps up: each is the new corner, by less than a thousandth.
        for (std::size_t i = 0; i < points.size(); ++i)
            points[i] = {1.0, 1e-3 * (1 + 1e-7 * static_cast<double>(i))};
        expectAgrees(points, seed);
        // The same for stairs: small errors whose e/m creeps above that of a large one.
        for (std::size_t i = 0; i < points.size(); ++i)
            points[i] = i < 10000 ? FrontierPoint{10, 1}
                                  : FrontierPoint{1 / (1 + 1e-7 * static_cast<double>(i)), 0.1};
        expectAgrees(points, seed);
    }
}

TEST(Frontier, AgreesOnQuantisedDataWithManyTies) {
    std::mt19937 engine(5);
    std::uniform_int_distribution<int> m(0, 60), e(1, 9);
    Points points(20000);
    for (auto& p : points) p = {m(engine) * 0.03125, e(engine) * 0.0009765625};
    expectAgrees(points, 5);
}

TEST(Frontier, AgreesOnPointsOfOneLine) { // c = r·(1 + 2^-10): every point lies on the hull's only edge
    Points points;
    for (int i = 1; i < 30000; ++i) points.push_back({i * 0.001, i * 0.001 * 0x1p-10});
    expectAgrees(points, 7);
}

TEST(Frontier, AgreesOnNearlyCollinearPoints) { // each a few ulps off a common line
    std::mt19937 engine(11);
    std::uniform_int_distribution<int> ulps(-3, 3);
    Points points;
    for (int i = 1; i < 5000; ++i) {
        const double m = i * 0.0137;
        double e = 1e-3 + m * 1e-2;
        for (int k = ulps(engine); k != 0; k += k < 0 ? 1 : -1) e = std::nextafter(e, k < 0 ? 0 : 1e300);
        points.push_back({m, e});
    }
    expectAgrees(points, 13);
}

/// Errors that are a line up to their own rounding: at a tolerance on an edge the points half an ulp below it
/// fail when the predicate rounds down, although both ends of the edge pass.
TEST(Frontier, AgreesOnPointsWithinRoundingOfALine) {
    for (std::uint32_t seed = 0; seed < test::effort(8u, 2u); ++seed) {
        std::mt19937 engine(seed);
        std::uniform_real_distribution<double> d(0.5, 8);
        Points points(test::effort(4000, 2000));
        for (auto& p : points) {
            p.magnitude = d(engine);
            p.error = 1e-3 + p.magnitude * 1e-2;
        }
        expectAgrees(points, seed);
    }
}

TEST(Frontier, AgreesAtExtremes) {
    expectAgrees({{0, 1e-300}, {1e-310, 5e-324}, {1e308, 1e307}, {1, 1}, {5e-324, 5e-324}}, 1);
    expectAgrees({{0, 1}}, 2);
    expectAgrees({}, 3);
}

RC_GTEST_PROP(Frontier, AgreesOnGeneratedPoints, ()) {
    const auto n = *rc::gen::inRange(1, 400);
    Points points;
    for (int i = 0; i < n; ++i) {
        const int k = *rc::gen::inRange(0, 1000), q = *rc::gen::inRange(1, 1000);
        points.push_back(
            {std::ldexp(k, *rc::gen::inRange(-30, 10)), std::ldexp(q, *rc::gen::inRange(-40, 4))});
    }
    expectAgrees(points, static_cast<std::uint32_t>(n));
}

TEST(Frontier, MergeEqualsOneBuild) {
    const Points points = randomPoints(50000, 3);
    FrontierBuilder whole;
    for (std::size_t at = 0; at < points.size(); at += 7000) {
        FrontierBuilder part;
        for (std::size_t i = at; i < std::min(points.size(), at + 7000); ++i)
            part.add(points[i].magnitude, points[i].error);
        whole.merge(part.points(), part.capped());
    }
    const Frontier merged = whole.finish(), direct = build(points);
    EXPECT_EQ(merged.hull(), direct.hull());
    EXPECT_EQ(merged.stairs(), direct.stairs());
}

TEST(Frontier, KeepsFewPoints) {
    const Frontier f = build(randomPoints(1'000'000, 9));
    EXPECT_LT(f.hull().size(), 200u);
    EXPECT_LT(f.stairs().size(), 200u);
}

TEST(Frontier, NeededTolerancesAreTheSmallestThatPass) {
    const Points points = randomPoints(2000, 21);
    const Frontier f = build(points);
    for (Rule rule : {Rule::allclose, Rule::either}) {
        const double atol = f.neededAtol(rule, 1e-4);
        EXPECT_TRUE(scanPasses(points, {rule, 1e-4, atol, false}));
        EXPECT_FALSE(scanPasses(points, {rule, 1e-4, std::nextafter(atol, 0), false}));
        const double rtol = f.neededRtol(rule, 1e-4);
        EXPECT_TRUE(scanPasses(points, {rule, rtol, 1e-4, false}));
        EXPECT_FALSE(scanPasses(points, {rule, std::nextafter(rtol, 0), 1e-4, false}));
        const double linked = f.neededLinked(rule);
        EXPECT_TRUE(scanPasses(points, {rule, linked, linkedAtol(linked), false}));
        EXPECT_FALSE(
            scanPasses(points, {rule, linked * (1 - 1e-12), linkedAtol(linked * (1 - 1e-12)), false}));
    }
}

TEST(Frontier, AZeroReferenceNeedsAtol) {
    const Frontier f = build({{0, 0.5}, {1, 0.25}});
    EXPECT_EQ(f.neededAtol(Rule::allclose, 1.0), 0.5);
    EXPECT_EQ(f.neededRtol(Rule::allclose, 0.25), std::numeric_limits<double>::infinity());
    EXPECT_EQ(f.neededRtol(Rule::either, 0.5), 0);
}

TEST(Frontier, CornersDescribeTheCurve) {
    // e = 1 at m = 1, e = 3 at m = 5: the edge has slope 1/2; before it atol = 3 − 5·rtol, after 1 − rtol.
    const Frontier f = build({{1, 1}, {5, 3}});
    const auto c = f.corners(Rule::allclose);
    ASSERT_EQ(c.size(), 3u);
    EXPECT_EQ(c[0], (std::pair{0.0, 3.0}));
    EXPECT_EQ(c[1].first, 0.5);
    EXPECT_NEAR(c[1].second, 0.5,
                1e-15); // the predicate rounds: the smallest atol that passes is an ulp below
    EXPECT_EQ(c[2], (std::pair{1.0, 0.0}));
}

/// A gain of two makes every element a point of one line; the curve must still be cheap to ask.
TEST(Frontier, ManyPointsOfOneLineCostLittle) {
    Points points;
    for (int i = 1; i < 60000; ++i) points.push_back({i * 1.0000001, i * 1.0000001});
    const Frontier f = build(points);
    EXPECT_FALSE(f.capped());
    for (Rule rule : {Rule::allclose, Rule::either}) {
        EXPECT_LT(f.corners(rule).size(), 5u);
        EXPECT_NEAR(f.neededRtol(rule, 0), 1, 1e-12);
    }
    EXPECT_EQ(f.answer({Rule::allclose, 1.0, 0, false}), FrontierAnswer::passes);
    EXPECT_EQ(f.answer({Rule::allclose, std::nextafter(1.0, 0), 0, false}), FrontierAnswer::fails);
}

TEST(Frontier, SaysRescanWhereTooManyPointsShareALine) {
    Points points; // e == m for far more magnitudes than are kept: passes at rtol 1, fails just below
    for (int i = 1; i < 200000; ++i) points.push_back({i * 1.0000001, i * 1.0000001});
    const Frontier f = build(points);
    EXPECT_TRUE(f.capped());
    EXPECT_EQ(f.answer({Rule::allclose, 1.5, 0, false}), FrontierAnswer::passes);
    EXPECT_EQ(f.answer({Rule::allclose, 0.5, 0, false}), FrontierAnswer::fails);
    EXPECT_EQ(f.answer({Rule::allclose, 1.0, 0, false}), FrontierAnswer::rescan);
}

} // namespace
} // namespace divdet
