#include "judge/metric/token_facts.h"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "make_tensor.h"

namespace divdet {
namespace {

using Row = std::vector<double>;
using test::kInf;
using test::kNan;

TokenFacts facts(const Row& r, const Row& c, std::int64_t target = -1) {
    std::vector<double> scratch;
    return factsOf(r, c, target, scratch);
}

Row logs(Row probabilities, double shift = 0) {
    for (double& p : probabilities) p = std::log(p) + shift;
    return probabilities;
}

/// Logits are logarithms of probabilities, but for a constant that must not count.
TEST(TokenFacts, ByHand) {
    for (const double shift : {0.0, 7.0, -300.0}) {
        const TokenFacts f = facts(logs({0.2, 0.3, 0.5}, shift), logs({0.5, 0.3, 0.2}), 0);
        EXPECT_EQ(f.reference.guess, 2);
        EXPECT_EQ(f.candidate.guess, 0);
        EXPECT_FALSE(f.agrees());
        EXPECT_NEAR(f.margin, std::log(0.5 / 0.3), 1e-12);
        EXPECT_NEAR(f.kl, 0.3 * std::log(2.5), 1e-12);
        EXPECT_NEAR(f.reference.crossEntropy, -std::log(0.2), 1e-12);
        EXPECT_NEAR(f.candidate.crossEntropy, -std::log(0.5), 1e-12);
    }
    const TokenFacts shifted = facts(logs({0.2, 0.3, 0.5}), logs({0.2, 0.3, 0.5}, 3));
    EXPECT_NEAR(shifted.error, 3, 1e-12);
    EXPECT_NEAR(shifted.kl, 0, 1e-15); // the same probabilities
    EXPECT_FALSE(shifted.cannotFlip);  // which the margin alone cannot know
}

TEST(TokenFacts, TheFirstOfTiedWordsIsTheGuess) {
    const TokenFacts f = facts({1, 3, 3, 0}, {3, 1, 3, 3});
    EXPECT_EQ(f.reference.guess, 1);
    EXPECT_TRUE(f.reference.tied);
    EXPECT_EQ(f.margin, 0);
    EXPECT_EQ(f.candidate.guess, 0);
    EXPECT_FALSE(facts({1, 3, 2}, {1, 3, 2}).reference.tied);
    EXPECT_FALSE(facts({3, 3}, {3, 3}).cannotFlip); // not even without any error: it has no room
}

TEST(TokenFacts, RowsWithNanOrInfinityHaveNoGuess) {
    for (const Row& broken : {Row{1, kNan, 0}, Row{1, kInf, 0}, Row{-kInf, -kInf, -kInf}}) {
        const TokenFacts f = facts(broken, {1, 2, 3}, 2), both = facts(broken, broken, 0);
        EXPECT_FALSE(f.reference.defined);
        EXPECT_EQ(f.reference.guess, -1);
        EXPECT_TRUE(std::isnan(f.reference.crossEntropy));
        EXPECT_TRUE(f.candidate.defined);
        EXPECT_EQ(f.error, kInf);
        EXPECT_TRUE(std::isnan(f.kl));
        EXPECT_FALSE(f.cannotFlip);
        EXPECT_FALSE(both.agrees()); // NaN agrees with nothing, itself included
    }
}

TEST(TokenFacts, AWordThatCannotComeHasNoProbability) {
    const TokenFacts same = facts({0, -kInf, 1}, {0, -kInf, 1}, 1);
    EXPECT_EQ(same.kl, 0);
    EXPECT_EQ(same.error, 0);
    EXPECT_EQ(same.reference.crossEntropy, kInf);
    EXPECT_TRUE(same.cannotFlip);
    EXPECT_EQ(facts({0, 0, 1}, {0, -kInf, 1}).kl, kInf);
    // Of the candidate's three equal words the reference allows two: KL is log(3/2).
    EXPECT_NEAR(facts({0, 0, -kInf}, {0, 0, 0}).kl, std::log(1.5), 1e-15);
    EXPECT_NEAR(facts({0, 0, -kInf}, {0, 0, 9}).kl, std::log((2 + std::exp(9.0)) / 2), 1e-12);
    EXPECT_EQ(facts({0, -kInf}, {0, -kInf}).margin, kInf);
}

/// Errors far below what lse(c) - lse(r) can show: KL is half the variance of the error under p.
TEST(TokenFacts, SmallErrorsHaveTheirDivergence) {
    for (const double size : {1e-3, 1e-7, 1e-10}) {
        const Row p{0.1, 0.2, 0.3, 0.4}, e{1, -2, 0.5, 0.25};
        Row r = logs(p), c = r;
        double mean = 0, square = 0;
        for (std::size_t i = 0; i < p.size(); ++i) {
            c[i] += size * e[i];
            mean += p[i] * (r[i] - c[i]);
        }
        for (std::size_t i = 0; i < p.size(); ++i) square += p[i] * std::pow(r[i] - c[i] - mean, 2);
        EXPECT_NEAR(facts(r, c).kl / (square / 2), 1, 4 * size + 1e-12) << size;
    }
}

TEST(TokenFacts, HugeLogitsDoNotOverflow) {
    const TokenFacts f = facts({1e30, 0, -1e30}, {0, 1e30, -1e30}, 0);
    EXPECT_EQ(f.reference.crossEntropy, 0);
    EXPECT_EQ(f.candidate.crossEntropy, 1e30);
    EXPECT_EQ(f.kl, 1e30);
    EXPECT_FALSE(std::isnan(facts({1.7e308, -1.7e308}, {-1.7e308, 1.7e308}).kl));
}

rc::Gen<Row> rows(std::size_t n) {
    return rc::gen::container<Row>(
        n, rc::gen::map(rc::gen::inRange(-2000, 2000), [](int x) { return x / 128.0; }));
}

RC_GTEST_PROP(TokenFacts, DivergenceIsNeverNegativeAndThatOfItselfIsZero, (std::uint32_t seed)) {
    const Row r = test::normals(20, seed, 4), e = test::normals(20, seed + 1);
    const double size = std::pow(10.0, *rc::gen::inRange(-14, 2));
    Row c = r;
    for (std::size_t i = 0; i < r.size(); ++i) c[i] += size * e[i];
    RC_ASSERT(facts(r, c).kl >= 0);
    RC_ASSERT(facts(r, r).kl == 0);
    RC_ASSERT(facts(r, r).cannotFlip);
    RC_ASSERT(facts(r, c, 3).reference.crossEntropy >= 0);
}

/// Whatever the signs of errors no larger than the largest, a token with headroom keeps its guess.
RC_GTEST_PROP(TokenFacts, ATokenWithHeadroomKeepsItsGuess, (std::uint32_t seed)) {
    const auto n = *rc::gen::inRange<std::size_t>(2, 12);
    const Row r = *rows(n);
    std::mt19937 engine(seed);
    Row sorted = r;
    std::sort(sorted.rbegin(), sorted.rend());
    const double margin = sorted[0] - sorted[1];
    // Just below half the margin, where the promise is hardest to keep; also anywhere else.
    const double half = margin / 2 * (1 - 1e-12);
    const double error = *rc::gen::element(half, margin / 3, margin / 2, margin, 0.25);
    Row c = r;
    std::uniform_real_distribution<double> part(-1, 1);
    for (double& x : c) x += error * (engine() % 2 ? (engine() % 2 ? 1 : -1) : part(engine));
    const TokenFacts f = facts(r, c);
    RC_CLASSIFY(f.cannotFlip, "has headroom");
    if (f.cannotFlip) RC_ASSERT(f.agrees());
    // The worst signs there are: its own logit down, all others up.
    Row worst = r;
    for (std::size_t i = 0; i < n; ++i)
        worst[i] += static_cast<std::int64_t>(i) == f.reference.guess ? -error : error;
    const TokenFacts w = facts(r, worst);
    if (w.cannotFlip) RC_ASSERT(w.agrees());
    if (margin > 0 && error == half) RC_ASSERT(w.cannotFlip); // the share is not cautious beyond need
    if (margin > 0 && error == margin) RC_ASSERT(!w.cannotFlip);
}

} // namespace
} // namespace divdet
