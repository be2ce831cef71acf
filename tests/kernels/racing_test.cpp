// Sums by racing threads: nothing is lost, errors stay within the bound of any order, one thread is the
// ordered sum. Whether a race shows is the machine's business; what was seen is printed.
#include <cmath>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "host/racing.h"
#include "host/rows.h"
#include "host/twin_backend.h"
#include "kernel_test_support.h"
#include "lower/lower.h"
#include "numerics/reduction.h"
#include "run/execute.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

using Floats = std::vector<float>;

std::string bitsOf(const Floats& x) {
    return {reinterpret_cast<const char*>(x.data()), x.size() * sizeof(float)};
}

void say(const char* what, std::size_t runs, std::size_t results, const run::RaceSeen& seen) {
    std::printf("%s: %zu results in %zu runs of %d threads, %lld of %lld races overlapped, %lld retries\n",
                what, results, runs, seen.threads, static_cast<long long>(seen.overlapping),
                static_cast<long long>(seen.races), static_cast<long long>(seen.retries));
}

struct Scatter {
    std::size_t rows = 2048, width = 16, targets = 8;
    Floats source;
    std::vector<std::size_t> to;

    explicit Scatter(Floats values)
        : source(std::move(values)) {
        Values random(5);
        for (std::size_t i = 0; i < rows; ++i) to.push_back(random.below(targets));
    }
    Floats raced(int threads, run::RaceSeen& seen) const {
        Floats out(targets * width);
        EXPECT_TRUE(
            host::raceScatterRows(source.data(), to.data(), rows, width, out.data(), {threads}, seen).ok());
        return out;
    }
    Floats inOrder() const {
        Floats out(targets * width);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < width; ++j) out[to[i] * width + j] += source[i * width + j];
        return out;
    }
};

TEST(RacingScatter, OneThreadAddsInOrder) {
    const Scatter s(Values(1).normal(2048 * 16));
    run::RaceSeen seen;
    EXPECT_EQ(bitsOf(s.raced(1, seen)), bitsOf(s.inOrder()));
    EXPECT_EQ(seen.threads, 1);
    EXPECT_EQ(seen.races, 1);
    EXPECT_EQ(seen.overlapping, 0);
    EXPECT_EQ(seen.additions, 2048 * 16);
    EXPECT_EQ(seen.retries, 0);
}

/// Whole numbers below 2^24 add exactly in any order, so a lost addition shows as a wrong sum.
TEST(RacingScatter, LosesNothing) {
    Floats whole(2048 * 16);
    for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = static_cast<float>(i % 7) - 2;
    Scatter s(whole);
    s.targets = 1; // every thread at the same few sums
    for (auto& t : s.to) t = 0;
    run::RaceSeen seen;
    for (int run = 0; run < 50; ++run) ASSERT_EQ(bitsOf(s.raced(4, seen)), bitsOf(s.inOrder()));
    EXPECT_EQ(seen.additions, 50 * 2048 * 16);
    say("whole numbers", 50, 1, seen);
}

TEST(RacingScatter, StaysWithinTheBoundOfAnyOrder) {
    const Scatter s(Values(2).normal(2048 * 16));
    std::vector<double> exact(s.targets * s.width), size(exact.size()), terms(exact.size());
    for (std::size_t i = 0; i < s.rows; ++i)
        for (std::size_t j = 0; j < s.width; ++j) {
            const std::size_t at = s.to[i] * s.width + j;
            const double x = s.source[i * s.width + j];
            exact[at] += x, size[at] += std::fabs(x), terms[at] += 1;
        }
    run::RaceSeen seen;
    std::set<std::string> results;
    for (int run = 0; run < 100; ++run) {
        const Floats out = s.raced(3, seen);
        results.insert(bitsOf(out));
        for (std::size_t i = 0; i < out.size(); ++i)
            ASSERT_LE(std::fabs(out[i] - exact[i]), terms[i] * 0x1p-24 * size[i] * 1.001);
    }
    EXPECT_EQ(seen.threads, 3);
    EXPECT_EQ(seen.races, 100);
    EXPECT_LE(seen.overlapping, 100);
    say("scatter-add", 100, results.size(), seen);
}

TEST(RacingSums, OneThreadIsSplitK) {
    const std::size_t rows = 5, width = 103;
    const Floats x = Values(3).normal(rows * width);
    for (const std::size_t kept : {std::size_t{103}, std::size_t{96}, std::size_t{1}, std::size_t{0}}) {
        Floats sums(rows);
        run::RaceSeen seen;
        ASSERT_TRUE(host::raceSumRows(x.data(), rows, width, kept, 8, sums.data(), {1}, seen).ok());
        for (std::size_t r = 0; r < rows; ++r)
            EXPECT_TRUE(sameValue(sums[r], numerics::reduce(numerics::SumTerms{x.data() + r * width}, kept,
                                                            {numerics::Order::splitK, 8})))
                << kept;
    }
}

/// x [5, 67] · w [67, 11] (+ bias) and a scatter-add and a sum of its rows.
block::BoundGraph productBlock(bool bias = false) {
    block::Graph g;
    g.name = "race";
    std::vector<block::ValueIndex> in{g.addInput("x", {5, 67}),
                                      g.addWeight("w", {67, 11}, {block::FillKind::normal, 0.3})};
    if (bias) in.push_back(g.addWeight("b", {11}, {}));
    const auto y = g.addOp(block::OpKind::matmul, "y", in);
    g.markOutput(g.addOp(block::OpKind::reduce_sum, "s", {y}));
    return *block::bind(g);
}

class RacingTwin : public testing::Test {
protected:
    static lower::LoweredGraph lowered(const block::BoundGraph& b, const std::vector<std::string>& passes) {
        std::vector<lower::PassChoice> choices;
        for (const auto& p : passes) choices.push_back(*lower::parsePass(p));
        return *lower::lower(b, choices);
    }
    /// The first op of the block, as the passes lower it.
    Result<Tensor> race(const block::BoundGraph& b, const std::vector<std::string>& passes, int threads) {
        const auto program = lowered(b, passes);
        const auto inputs = *run::makeInputs(b, 7);
        std::vector<Tensor> in;
        for (const auto i : program.ops[0].inputs)
            in.push_back(*converted(inputs.tensors[i], program.storage[i]));
        return twin.raceOp("cpu:sm_80", program.ops[0], in, {threads}, seen, {});
    }
    Tensor ordered(const block::BoundGraph& b, const std::vector<std::string>& passes) {
        const auto taps = run::execute(lowered(b, passes), *run::makeInputs(b, 7), {twin, "cpu:sm_80"});
        EXPECT_TRUE(taps.ok());
        return taps->find("y")->tensor;
    }

    host::TwinBackend twin;
    run::RaceSeen seen;
};

TEST_F(RacingTwin, OneThreadGivesTheBitsOfAFixedSplit) {
    for (const bool bias : {false, true})
        for (const char* operand : {"", "tf32", "bf16", "fp16"}) {
            std::vector<std::string> chance{"atomics"}, fixed{"reassociate=splitk:8"};
            if (*operand) chance.push_back(operand), fixed.push_back(operand);
            const auto b = productBlock(bias);
            const auto out = race(b, chance, 1);
            ASSERT_TRUE(out.ok()) << operand << ": " << out.error().text();
            const Tensor want = ordered(b, fixed);
            ASSERT_EQ(out->dtype(), want.dtype());
            ASSERT_EQ(std::memcmp(out->view().data, want.view().data,
                                  static_cast<std::size_t>(want.elements()) * itemSize(want.dtype())),
                      0)
                << operand << " bias " << bias;
        }
    EXPECT_EQ(seen.races, 8);
}

TEST_F(RacingTwin, ThreadsStayNearTheExactProduct) {
    const auto b = productBlock();
    const Tensor want = ordered(b, {});
    std::set<std::string> results;
    for (int run = 0; run < 200; ++run) {
        const auto out = race(b, {"atomics"}, 3);
        ASSERT_TRUE(out.ok());
        const auto x = out->as<float>(), y = want.as<float>();
        results.insert(bitsOf({x.begin(), x.end()}));
        for (std::size_t i = 0; i < x.size(); ++i) ASSERT_NEAR(x[i], y[i], 67 * 0x1p-23 * 67 * 0.3 * 4);
    }
    EXPECT_EQ(seen.threads, 3);
    say("split-K product", 200, results.size(), seen);
}

TEST_F(RacingTwin, RefusesWhatCannotBeAddedAtomically) {
    const auto b = productBlock();
    for (const char* pass : {"fp8", "split-k-bf16", "race"}) {
        const auto out = race(b, {"atomics", pass}, 2);
        ASSERT_FALSE(out.ok()) << pass;
        EXPECT_EQ(out.error().code, ErrorCode::unsupported) << pass;
        EXPECT_EQ(out.error().path, "y") << pass;
        EXPECT_FALSE(out.error().hint.empty());
    }
    // Exact integers have no order, so nothing of int8 is left to chance.
    EXPECT_EQ(race(b, {"atomics", "int8"}, 2).error().code, ErrorCode::usage);
    const auto ordered = race(b, {}, 2);
    ASSERT_FALSE(ordered.ok());
    EXPECT_EQ(ordered.error().code, ErrorCode::usage);
    EXPECT_EQ(ordered.error().path, "y");
}

TEST(RacingThreads, AreTwoAtLeastUnlessAsked) {
    EXPECT_GE(host::racingThreads({}), 2);
    EXPECT_EQ(host::racingThreads({1}), 1);
    EXPECT_EQ(host::racingThreads({5}), 5);
}

} // namespace
} // namespace divdet
