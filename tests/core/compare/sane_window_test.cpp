// The window of sane tolerances against its definition: what honest runs pass and faults fail.
#include "compare/sane_window.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "compare/scan.h"
#include "make_tensor.h"

namespace divdet {
namespace {

using State = SaneWindow::State;

/// Elements by magnitude of the reference and error.
using Points = std::vector<std::pair<double, double>>;

TapPair pairOf(const Points& points) {
    std::vector<double> r, c;
    for (const auto& [m, e] : points) {
        r.push_back(m);
        c.push_back(m + e);
    }
    TapPair p;
    p.name = "p";
    p.summary = std::make_shared<const Summary>(
        *scan(test::f64(r).view(), test::f64(c).view(), {Tolerance{}, false}));
    return p;
}

Comparison runOf(const Points& points) {
    Comparison out;
    out.pairs.push_back(pairOf(points));
    return out;
}

std::vector<const Comparison*> pointers(const std::vector<Comparison>& list) {
    std::vector<const Comparison*> out;
    for (const auto& c : list) out.push_back(&c);
    return out;
}

SaneWindow windowOf(const std::vector<Comparison>& honest, const std::vector<Comparison>& faults,
                    Rule rule = Rule::allclose) {
    return saneWindow(pointers(honest), pointers(faults), {rule, 0, 0, false, {}});
}

Verdict verdictAt(const Comparison& c, TolerancePair p, Rule rule = Rule::allclose) {
    return judge(c, {rule, p.rtol, p.atol, false, {}}).verdict;
}

TEST(SaneWindow, LiesBetweenDriftAndBug) {
    const std::vector<Comparison> honest{runOf({{1, 1e-5}}), runOf({{1, 1e-4}, {0.5, 2e-5}})};
    const std::vector<Comparison> faults{runOf({{1, 1e-2}}), runOf({{1, 0.1}})};
    const SaneWindow w = windowOf(honest, faults);
    ASSERT_EQ(w.state, State::open);
    EXPECT_EQ(w.honestMost, 1u);
    EXPECT_TRUE(w.best->onPath());
    EXPECT_FALSE(w.path);
    EXPECT_EQ(w.best->bound, 0u);
    EXPECT_EQ(w.best->caught, 2u);
    EXPECT_DOUBLE_EQ(w.best->low, neededRtolLinked(honest[1], {}));
    EXPECT_DOUBLE_EQ(w.best->high, neededRtolLinked(faults[0], {}));
    // The middle on the log axis, as far as two digits tell.
    const double middle = std::sqrt(w.best->low * w.best->high);
    EXPECT_NEAR(w.best->middle.rtol / middle, 1, 0.05);
    EXPECT_EQ(w.best->middle.rtol, 9.5e-4);
}

TEST(SaneWindow, AFaultBelowDriftIsNeverSeparable) {
    const SaneWindow w = windowOf({runOf({{1, 1e-3}, {0.1, 1e-3}})}, {runOf({{1, 9e-4}, {0.2, 9e-4}})});
    EXPECT_EQ(w.state, State::closed);
    EXPECT_FALSE(w.best);
    EXPECT_EQ(w.faults[0].separation, Separation::never);
    EXPECT_FALSE(w.faults[0].witness);
    EXPECT_LT(w.faults[0].needs, w.honestNeeds);
}

TEST(SaneWindow, TheOthersMakeTheWindow) {
    const SaneWindow w = windowOf({runOf({{1, 1e-3}})}, {runOf({{1, 5e-4}}), runOf({{1, 1e-2}})});
    ASSERT_TRUE(w.open());
    EXPECT_EQ(w.faults[0].separation, Separation::never);
    EXPECT_EQ(w.faults[1].separation, Separation::caught);
    EXPECT_EQ(w.best->caught, 1u);
}

/// Drift near zero needs atol, the fault at large numbers rtol: the linked path forgives the fault first.
TEST(SaneWindow, LeavesThePathOnlyWhereThatPays) {
    const std::vector<Comparison> honest{runOf({{1e-6, 1e-3}, {10, 0}})};
    const Comparison wide = runOf({{10, 1e-2}}), thin = runOf({{10, 1.1e-3}}), gross = runOf({{10, 5}});
    SaneWindow w = windowOf(honest, {wide});
    ASSERT_TRUE(w.open());
    EXPECT_FALSE(w.best->onPath());
    EXPECT_FALSE(w.path) << "closed, so it is no alternative";
    EXPECT_EQ(w.faults[0].separation, Separation::caught);
    w = windowOf(honest, {wide, gross});
    ASSERT_TRUE(w.open());
    EXPECT_EQ(w.best->caught, 2u);
    ASSERT_TRUE(w.path);
    EXPECT_EQ(w.path->caught, 1u);
    // A sliver is not worth leaving the path for; it is told as a tolerance of its own.
    w = windowOf(honest, {thin, gross});
    ASSERT_TRUE(w.open());
    EXPECT_TRUE(w.best->onPath());
    ASSERT_EQ(w.faults[0].separation, Separation::elsewhere);
    EXPECT_EQ(verdictAt(honest[0], *w.faults[0].witness), Verdict::within);
    EXPECT_EQ(verdictAt(thin, *w.faults[0].witness), Verdict::outside);
    EXPECT_NEAR(w.faults[0].honestAtol, 1e-3, 1e-8);
}

TEST(SaneWindow, WhatNeverPassesIsCaughtByEveryTolerance) {
    const Comparison nan = runOf({{1, test::kNan}, {2, 0}});
    const SaneWindow w = windowOf({runOf({{1, 1e-4}, {2, 0}})}, {nan});
    ASSERT_TRUE(w.open());
    EXPECT_EQ(w.faults[0].needs, test::kInf);
    EXPECT_FALSE(w.best->bound) << "zeros bound it";
    EXPECT_LT(w.best->high, 1);
    EXPECT_EQ(windowOf({nan}, {runOf({{1, 1}})}).state, State::honestFails);
    Comparison missing = runOf({{1, 0}});
    missing.missingJudged = true;
    EXPECT_EQ(windowOf({missing}, {nan}).state, State::honestFails);
}

TEST(SaneWindow, SaysWhyThereIsNone) {
    EXPECT_EQ(windowOf({}, {runOf({{1, 1}})}).state, State::noHonestRun);
    EXPECT_EQ(windowOf({runOf({{1, 1e-4}})}, {}).state, State::noFault);
    // Where drift passes, zeros pass.
    EXPECT_EQ(windowOf({runOf({{1, 2}})}, {runOf({{1, 50}})}).state, State::nothingTested);
    const SaneWindow silent = windowOf({runOf({{1, 1e-4}})}, {runOf({{1, 0}})});
    EXPECT_EQ(silent.state, State::closed);
    EXPECT_EQ(silent.faults[0].needs, 0);
}

TEST(SaneWindow, EveryJudgedTapCountsAndNoOther) {
    Comparison honest = runOf({{1, 1e-5}}), fault = runOf({{1, 1e-5}});
    honest.pairs.push_back(pairOf({{1, 1e-4}}));
    fault.pairs.push_back(pairOf({{1, 1e-2}}));
    EXPECT_TRUE(windowOf({honest}, {fault}).open());
    fault.pairs[1].judged = honest.pairs[1].judged = false;
    const SaneWindow w = windowOf({honest}, {fault});
    EXPECT_FALSE(w.open());
    EXPECT_EQ(w.faults[0].needs, w.honestNeeds);
    EXPECT_EQ(w.honestNeeds, neededRtolLinked(runOf({{1, 1e-5}}), {}));
}

TEST(SaneWindow, DriftThatEqualsTheReferenceLeavesTheWholeRangeBelowTheFault) {
    const SaneWindow w = windowOf({runOf({{1, 0}})}, {runOf({{1, 1e-2}})});
    ASSERT_TRUE(w.open());
    EXPECT_EQ(w.honestNeeds, 0);
    EXPECT_EQ(w.best->low, 1e-9);
}

struct Random {
    std::vector<Comparison> honest, faults;
};

Comparison randomRun(double error) {
    const int n = *rc::gen::inRange(1, 12);
    Points points;
    for (int i = 0; i < n; ++i) {
        const double m = std::pow(10.0, *rc::gen::inRange(-40, 20) / 10.0);
        points.emplace_back(m, error * std::pow(10.0, *rc::gen::inRange(-20, 1) / 10.0) *
                                   (*rc::gen::arbitrary<bool>() ? 1 : m));
    }
    return runOf(points);
}

Random randomRuns() {
    Random out;
    const int honest = *rc::gen::inRange(1, 4), faults = *rc::gen::inRange(1, 6);
    for (int i = 0; i < honest; ++i)
        out.honest.push_back(randomRun(std::pow(10.0, *rc::gen::inRange(-50, -20) / 10.0)));
    for (int i = 0; i < faults; ++i)
        out.faults.push_back(randomRun(std::pow(10.0, *rc::gen::inRange(-50, -5) / 10.0)));
    return out;
}

RC_GTEST_PROP(SaneWindow, TheRecommendationSeparatesWhatItSays, ()) {
    const Random runs = randomRuns();
    for (const Rule rule : {Rule::allclose, Rule::either}) {
        const SaneWindow w = windowOf(runs.honest, runs.faults, rule);
        for (const auto& line : {w.best, w.path}) {
            if (!line) continue;
            std::size_t caught = 0;
            for (const auto& c : runs.honest) {
                RC_ASSERT(verdictAt(c, line->middle, rule) == Verdict::within);
                RC_ASSERT(verdictAt(c, line->pairAt(line->middle.rtol), rule) == Verdict::within);
            }
            for (const auto& c : runs.faults) caught += verdictAt(c, line->middle, rule) == Verdict::outside;
            RC_ASSERT(line->caught == caught);
            RC_ASSERT(caught > 0u);
            // Digits do not move it out of the middle.
            const double length = std::log(line->high / line->low);
            const double along = std::log(line->middle.rtol / line->low) / length;
            const double up = std::log(line->middle.atol / line->pairAt(line->low).atol) / (length * 5 / 3);
            RC_ASSERT(along > 0.29 && along < 0.71 && up > 0.29 && up < 0.71);
            // The ends are the ends: just below the low one honest runs fail, at the high one the bound
            // passes.
            if (line->low > 1e-9) {
                bool all = true;
                for (const auto& c : runs.honest)
                    all = all && verdictAt(c, line->pairAt(line->low * (1 - 1e-9)), rule) != Verdict::outside;
                RC_ASSERT(!all);
            }
            if (line->bound)
                RC_ASSERT(verdictAt(runs.faults[*line->bound], line->pairAt(line->high), rule) !=
                          Verdict::outside);
        }
        for (std::size_t i = 0; i < runs.faults.size(); ++i) {
            const bool fails = w.best && verdictAt(runs.faults[i], w.best->middle, rule) == Verdict::outside;
            RC_ASSERT(fails == (w.faults[i].separation == Separation::caught));
        }
    }
}

/// Against brute force: tolerances all over the plane.
RC_GTEST_PROP(SaneWindow, NeverMeansAtNoTolerance, ()) {
    const Random runs = randomRuns();
    for (const Rule rule : {Rule::allclose, Rule::either}) {
        const SaneWindow w = windowOf(runs.honest, runs.faults, rule);
        for (std::size_t i = 0; i < runs.faults.size(); ++i) {
            const FaultWindow& f = w.faults[i];
            if (f.separation == Separation::elsewhere) {
                RC_ASSERT(verdictAt(runs.faults[i], *f.witness, rule) == Verdict::outside);
                for (const auto& c : runs.honest)
                    RC_ASSERT(verdictAt(c, *f.witness, rule) == Verdict::within);
            }
            if (f.separation != Separation::never) continue;
            for (double logRtol = -9; logRtol <= 0; logRtol += 0.05) {
                const double rtol = std::pow(10.0, logRtol);
                double honest = 0;
                for (const auto& c : runs.honest)
                    honest = std::max(honest, neededAtol(c, {rule, rtol, 0, false, {}}));
                const TolerancePair wider{rtol, honest * 1.0101};
                bool tested = true;
                for (const auto& c : runs.honest)
                    tested = tested && verdictAt(c, wider, rule) == Verdict::within;
                if (tested) RC_ASSERT(verdictAt(runs.faults[i], wider, rule) != Verdict::outside);
            }
        }
    }
}

RC_GTEST_PROP(SaneWindow, AnotherHonestRunNeverWidensIt, ()) {
    Random runs = randomRuns();
    const SaneWindow before = windowOf(runs.honest, runs.faults);
    runs.honest.push_back(randomRun(1e-3));
    const SaneWindow after = windowOf(runs.honest, runs.faults);
    RC_ASSERT(after.honestNeeds >= before.honestNeeds);
    for (std::size_t i = 0; i < runs.faults.size(); ++i)
        if (before.faults[i].separation == Separation::never &&
            after.faults[i].separation != Separation::never)
            // More honest runs can make a tolerance test something (zeros), never tell more apart.
            RC_ASSERT(before.state == State::nothingTested);
}

} // namespace
} // namespace divdet
