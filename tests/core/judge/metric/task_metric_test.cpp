#include "judge/metric/task_metric.h"

#include <bit>
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include "judge/metric/token_facts.h"
#include "make_tensor.h"

namespace divdet {
namespace {

using test::f64;
using test::kInf;
using test::kNan;

struct Case {
    Tensor reference, candidate;
    std::optional<Tensor> targets, mask;

    Result<TaskMetric> measure() const {
        TaskTensors t{reference.view(), candidate.view(), {}, {}};
        if (targets) t.targets = targets->view();
        if (mask) t.mask = mask->view();
        return measureTask(t);
    }
};

/// Four tokens over three words; probabilities are quarters and eighths, so that logarithms are of 2.
Case four() {
    const double q = std::log(0.25), h = std::log(0.5), e = std::log(0.125), r = std::log(0.375);
    return {f64({h, q, q, q, h, q, q, q, h, h, q, q}, {4, 3}),
            f64({h, q, q, h, q, q, q, q, h, r, h, e}, {4, 3}),
            f64({0, 1, 2, -100}),
            {}};
}

TEST(TaskMetric, ByHand) {
    auto m = four().measure();
    ASSERT_TRUE(m.ok()) << m.error().text();
    EXPECT_EQ(m->tokens, 4);
    EXPECT_EQ(m->vocabulary, 3);
    EXPECT_EQ(m->leading, Shape{4});
    EXPECT_EQ(m->agreed, 2);
    EXPECT_EQ(m->flips(), 2);
    EXPECT_DOUBLE_EQ(m->oneFlip(), 0.25);
    EXPECT_DOUBLE_EQ(m->agreement().value, 0.5);
    EXPECT_NEAR(m->agreement().error, std::sqrt(0.25 / 3), 1e-15); // sample deviation of 1100 over √4
    EXPECT_DOUBLE_EQ(m->headroom(), 0.5);                          // the two that are equal
    ASSERT_TRUE(m->firstFlip);
    EXPECT_EQ(m->firstFlip->token, 1);
    EXPECT_EQ(m->firstFlip->reference, 1);
    EXPECT_EQ(m->firstFlip->candidate, 0);
    EXPECT_NEAR(m->firstFlip->top - m->firstFlip->other, std::log(2), 1e-15);
    EXPECT_NEAR(m->firstFlip->error, std::log(2), 1e-15);
    const double second = 0.25 * std::log(2.0), // 1/4 log(1/2) + 1/2 log 2 + 1/4 log 1
        fourth = 0.5 * std::log(0.5 / 0.375) + 0.25 * std::log(0.5) + 0.25 * std::log(2.0);
    EXPECT_NEAR(m->kl.value, (second + fourth) / 4, 1e-15);
    EXPECT_NEAR(m->klLargest, second, 1e-15);
    EXPECT_EQ(m->klLargestToken, 1);
    // Three targets count: 0, 1, 2 are all right in the reference, the second is wrong in the candidate.
    ASSERT_TRUE(m->scored);
    EXPECT_EQ(m->scored->tokens, 3);
    EXPECT_DOUBLE_EQ(m->scored->accuracyReference().value, 1);
    EXPECT_DOUBLE_EQ(m->scored->accuracyCandidate().value, 2.0 / 3);
    EXPECT_DOUBLE_EQ(m->scored->accuracyChange().value, -1.0 / 3);
    EXPECT_NEAR(m->scored->accuracyChange().error, 1.0 / 3, 1e-15); // of 0, -1, 0
    EXPECT_NEAR(m->scored->crossEntropyReference.value, std::log(2), 1e-15);
    EXPECT_NEAR(m->scored->perplexityReference.value, 2, 1e-14);
    EXPECT_NEAR(m->scored->crossEntropyCandidate.value, 4.0 / 3 * std::log(2), 1e-15);
    EXPECT_NEAR(m->scored->perplexityCandidate.value, std::pow(2, 4.0 / 3), 1e-14);
    EXPECT_NEAR(m->scored->crossEntropyChange.error, std::log(2) / 3, 1e-15); // of 0, log 2, 0
    // Cross-entropies of the reference do not scatter, so all scatter is the candidate's.
    EXPECT_NEAR(m->scored->perplexityChange.error, std::pow(2, 4.0 / 3) * std::log(2) / 3, 1e-14);
    // The last token flips at the smallest margin there is, log 2, which is every token's.
    EXPECT_NEAR(m->safe.atol, std::log(2) / 2, 1e-12);
    ASSERT_TRUE(m->observed);
    EXPECT_NEAR(m->observed->atol, std::log(2), 1e-15);
}

TEST(TaskMetric, OfItselfNothingChanges) {
    const Tensor x = f64(test::normals(60, 3), {4, 5, 3});
    const Case c{x, x, f64(std::vector<double>(20, 1), {4, 5}), {}};
    auto m = c.measure();
    ASSERT_TRUE(m.ok());
    EXPECT_EQ(m->agreed, 20);
    EXPECT_EQ(m->headroom(), 1);
    EXPECT_EQ(m->kl.value, 0);
    EXPECT_EQ(m->agreement().error, 0);
    EXPECT_FALSE(m->firstFlip);
    EXPECT_FALSE(m->observed);
    EXPECT_EQ(m->scored->accuracyChange().value, 0);
    EXPECT_EQ(m->scored->perplexityChange.value, 0);
    EXPECT_EQ(m->scored->perplexityChange.error, 0);
    EXPECT_GT(m->scored->perplexityReference.error, 0);
    EXPECT_EQ(m->leading, (Shape{4, 5}));
}

TEST(TaskMetric, OneTokenHasNoErrorBar) {
    const Case c{f64({1, 2}, {2}), f64({1, 3}, {2}), f64({0}, {1}), {}};
    auto m = c.measure();
    ASSERT_TRUE(m.ok()) << m.error().text();
    EXPECT_EQ(m->agreement().value, 1);
    EXPECT_TRUE(std::isnan(m->agreement().error));
    EXPECT_TRUE(std::isnan(m->kl.error));
    EXPECT_TRUE(std::isnan(m->scored->perplexityChange.error));
    EXPECT_EQ(m->leading, Shape{});
}

TEST(TaskMetric, NanReachesEveryMean) {
    Case c = four();
    c.candidate = f64({kNan, 0, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0}, {4, 3});
    auto m = c.measure();
    ASSERT_TRUE(m.ok());
    EXPECT_EQ(m->undefinedCandidate, 1);
    EXPECT_EQ(m->undefinedReference, 0);
    EXPECT_EQ(m->agreed, 3);
    EXPECT_TRUE(std::isnan(m->kl.value));
    EXPECT_TRUE(std::isnan(m->scored->crossEntropyCandidate.value));
    EXPECT_TRUE(std::isnan(m->scored->perplexityChange.value));
    EXPECT_FALSE(std::isnan(m->scored->perplexityReference.value));
    EXPECT_EQ(m->scored->lost, 1);
    ASSERT_TRUE(m->firstFlip);
    EXPECT_EQ(m->firstFlip->candidate, -1);
    EXPECT_EQ(m->observed->atol, kInf); // no tolerance passes a NaN
}

TEST(TaskMetric, AWordThatCannotComeMakesPerplexityInfinite) {
    const Case c{f64({0, 1, 1, 0}, {2, 2}), f64({0, 1, -kInf, 0}, {2, 2}), f64({1, 0}), {}};
    auto m = c.measure();
    ASSERT_TRUE(m.ok());
    EXPECT_EQ(m->kl.value, kInf);
    EXPECT_EQ(m->klLargest, kInf);
    EXPECT_EQ(m->scored->perplexityCandidate.value, kInf);
    EXPECT_EQ(m->scored->perplexityChange.value, kInf);
    EXPECT_TRUE(std::isnan(m->scored->perplexityChange.error));
}

TEST(TaskMetric, AMaskLeavesWholeTokensOut) {
    Case c = four();
    std::vector<std::uint8_t> keep(12, 1);
    keep[3] = keep[4] = keep[5] = 0; // the whole second token
    keep[0] = 0;                     // one word of the first: it stays
    c.mask = tensorOf<std::uint8_t>(DType::boolean, {4, 3}, std::span<const std::uint8_t>(keep));
    auto m = c.measure();
    ASSERT_TRUE(m.ok());
    EXPECT_EQ(m->tokens, 3);
    EXPECT_EQ(m->agreed, 2);
    EXPECT_EQ(m->firstFlip->token, 3); // numbered as in the tensor
    EXPECT_EQ(m->scored->tokens, 2);
    c.mask = TensorBuilder(DType::boolean, {4, 3}).finish();
    EXPECT_FALSE(c.measure().ok());
}

TEST(TaskMetric, SaysWhatDoesNotFit) {
    const auto error = [](Case c) { return c.measure().error().text(); };
    Case c = four();
    c.targets = f64({0, 1, 3, 0});
    EXPECT_NE(error(c).find("the target of token [2] is 3, not a word of the 3"), std::string::npos)
        << error(c);
    c.targets = f64({0, 0.5, 3, 0});
    EXPECT_NE(error(c).find("token [1] is 0.5"), std::string::npos) << error(c);
    c.targets = f64({0, 1, 2, kNan});
    EXPECT_NE(error(c).find("token [3] is nan"), std::string::npos) << error(c);
    c.targets = f64({0, 1, 2});
    EXPECT_NE(error(c).find("do not go with logits of shape [4, 3]"), std::string::npos) << error(c);
    EXPECT_NE(error({f64({1, 2}, {2, 1}), f64({1, 2}, {2, 1}), {}, {}}).find("no choice"), std::string::npos);
    EXPECT_NE(error({f64({1, 2}), f64({1, 2, 3}), {}, {}}).find("[2] and [3]"), std::string::npos);
    EXPECT_NE(error({f64({}, {0, 3}), f64({}, {0, 3}), {}, {}}).find("no token"), std::string::npos);
}

/// A text that spans many chunks, against plain loops in one go.
TEST(TaskMetric, ManyChunksAreOneText) {
    constexpr std::int64_t kTokens = 5000, kWords = 37;
    const std::vector<double> r = test::normals(kTokens * kWords, 1, 2), e = test::normals(r.size(), 2, 0.1);
    std::vector<double> c = r, targets;
    for (std::size_t i = 0; i < c.size(); ++i) c[i] += e[i];
    for (std::int64_t t = 0; t < kTokens; ++t) targets.push_back(static_cast<double>(t * 7 % kWords));
    const Case whole{f64(r, {kTokens, kWords}), f64(c, {kTokens, kWords}), f64(targets), {}};
    auto m = whole.measure();
    ASSERT_TRUE(m.ok());
    std::vector<double> scratch;
    long double kl = 0, ce = 0;
    std::int64_t agreed = 0, safe = 0, firstFlip = -1;
    for (std::size_t t = 0; t < kTokens; ++t) {
        const auto f =
            factsOf(std::span(r).subspan(t * kWords, kWords), std::span(c).subspan(t * kWords, kWords),
                    static_cast<std::int64_t>(targets[t]), scratch);
        kl += f.kl;
        ce += f.candidate.crossEntropy;
        agreed += f.agrees();
        safe += f.cannotFlip;
        if (!f.agrees() && firstFlip < 0) firstFlip = static_cast<std::int64_t>(t);
    }
    EXPECT_EQ(m->agreed, agreed);
    EXPECT_GT(m->flips(), 10);
    EXPECT_EQ(m->cannotFlip, safe);
    EXPECT_EQ(m->firstFlip->token, firstFlip);
    EXPECT_NEAR(m->kl.value, static_cast<double>(kl / kTokens), 1e-13);
    EXPECT_NEAR(m->scored->crossEntropyCandidate.value, static_cast<double>(ce / kTokens), 1e-12);
}

std::vector<std::uint64_t> bitsOf(const TaskMetric& m) {
    std::vector<std::uint64_t> out{static_cast<std::uint64_t>(m.agreed)};
    for (double x : {m.kl.value, m.kl.error, m.klLargest, m.safe.atol, m.safe.rtolLinked,
                     m.observed->rtolLinked, m.scored->perplexityChange.value,
                     m.scored->perplexityChange.error, m.scored->crossEntropyChange.error})
        out.push_back(std::bit_cast<std::uint64_t>(x));
    return out;
}

TEST(TaskMetric, TheSameBitsForAnyNumberOfThreads) {
    constexpr std::int64_t kTokens = 4000, kWords = 50;
    std::vector<double> r = test::normals(kTokens * kWords, 5, 3), c = r;
    const auto e = test::normals(r.size(), 6, 0.2);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] += e[i];
    const Case x{
        f64(r, {kTokens, kWords}), f64(c, {kTokens, kWords}), f64(std::vector<double>(kTokens, 4)), {}};
    std::vector<std::uint64_t> first;
    for (const int threads : {1, 2, 7}) {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(threads));
        tbb::task_arena arena(threads);
        std::vector<std::uint64_t> bits;
        arena.execute([&] { bits = bitsOf(*x.measure()); });
        if (first.empty()) first = bits;
        EXPECT_EQ(bits, first) << threads;
    }
}

/// Standard errors against their definition, on plain columns of numbers.
RC_GTEST_PROP(TaskMetric, ErrorBarsAreThoseOfTheSample, (std::uint32_t seed)) {
    const auto n = *rc::gen::inRange<std::int64_t>(2, 60);
    const auto r = test::normals(static_cast<std::size_t>(3 * n), seed),
               e = test::normals(r.size(), seed + 1);
    auto c = r;
    for (std::size_t i = 0; i < c.size(); ++i) c[i] += e[i];
    const Case x{
        f64(r, {n, 3}), f64(c, {n, 3}), f64(std::vector<double>(static_cast<std::size_t>(n), 1)), {}};
    auto m = x.measure();
    RC_ASSERT(m.ok());
    std::vector<double> turned, change, scratch;
    for (std::size_t t = 0; t < static_cast<std::size_t>(n); ++t) {
        const auto f = factsOf(std::span(r).subspan(3 * t, 3), std::span(c).subspan(3 * t, 3), 1, scratch);
        turned.push_back((f.candidate.guess == 1) - (f.reference.guess == 1));
        change.push_back(f.candidate.crossEntropy - f.reference.crossEntropy);
    }
    const auto close = [&](const std::vector<double>& v, const Estimate& is) {
        double mean = 0, squares = 0;
        for (double d : v) mean += d / static_cast<double>(n);
        for (double d : v) squares += (d - mean) * (d - mean);
        const double error = std::sqrt(squares / static_cast<double>(n - 1) / static_cast<double>(n));
        return std::fabs(is.value - mean) < 1e-12 && std::fabs(is.error - error) < 1e-9;
    };
    RC_ASSERT(close(turned, m->scored->accuracyChange()));
    RC_ASSERT(close(change, m->scored->crossEntropyChange));
}

} // namespace
} // namespace divdet
