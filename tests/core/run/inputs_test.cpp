#include "run/inputs.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "block/presets.h"
#include "numerics/philox.h"

namespace divdet::run {
namespace {

block::BoundGraph sums(block::FillKind kind, std::int64_t k = 64) {
    auto g = *block::preset("reduction");
    block::setInputKind(g, kind);
    return *block::bind(g, {{"tokens", 8}, {"k", k}});
}

std::vector<float> draw(block::FillKind kind, std::uint64_t seed = 3) {
    const auto inputs = *makeInputs(sums(kind), seed);
    const auto s = inputs.tensors[0].as<float>();
    return {s.begin(), s.end()};
}

TEST(Inputs, AreTheCounterBasedNumbers) {
    const auto x = draw(block::FillKind::normal);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], numerics::normalAt(3, 0, i));
    EXPECT_EQ(x, draw(block::FillKind::normal));
    EXPECT_NE(x, draw(block::FillKind::normal, 4));
}

TEST(Inputs, KindsAreWhatTheyAreCalled) {
    const auto z = draw(block::FillKind::normal);
    const auto positive = draw(block::FillKind::positive), outlier = draw(block::FillKind::outlierChannel);
    const auto mean = draw(block::FillKind::largeMean), cancel = draw(block::FillKind::nearCancel);
    for (std::size_t i = 0; i < z.size(); ++i) {
        ASSERT_EQ(positive[i], std::fabs(z[i]));
        ASSERT_EQ(outlier[i], i % 64 == 32 ? z[i] * 20 : z[i]);
        ASSERT_NEAR(mean[i], 4096, 10);
        if (i % 2) {
            ASSERT_LT(std::fabs(cancel[i] + cancel[i - 1]), 0.01);
        }
    }
}

TEST(Inputs, WeightsHaveTheirSigmaAndGainsAreOne) {
    const auto b = *block::bind(*block::preset("mlp"));
    const auto inputs = *makeInputs(b, 0);
    const auto w = inputs.tensors[*b.graph.find("up.weight")].as<float>();
    double squares = 0;
    for (float v : w) squares += static_cast<double>(v) * v;
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(w.size())), 0.005, 2e-5);
    const auto gain = inputs.tensors[*b.graph.find("norm.gain")].as<float>();
    EXPECT_TRUE(std::all_of(gain.begin(), gain.end(), [](float v) { return v == 1; }));
    EXPECT_TRUE(inputs.tensors[*b.graph.find("out")].shape().empty());
}

TEST(Inputs, IndicesAreWholeNumbersBelowTheirLimit) {
    auto g = *block::preset("scatter-add");
    block::setInputKind(g, block::FillKind::positive); // leaves row numbers alone
    const auto b = *block::bind(g, {{"tokens", 7000}, {"rows", 7}, {"width", 1}});
    const auto inputs = *makeInputs(b, 3);
    const auto index = inputs.tensors[*b.graph.find("index")].as<float>();
    std::vector<int> count(7);
    for (float v : index) {
        ASSERT_EQ(v, std::floor(v));
        ASSERT_TRUE(v >= 0 && v < 7);
        ++count[static_cast<std::size_t>(v)];
    }
    for (int n : count) EXPECT_NEAR(n, 1000, 120); // four sigma
    const auto x = inputs.tensors[*b.graph.find("x")].as<float>();
    EXPECT_TRUE(std::all_of(x.begin(), x.end(), [](float v) { return v >= 0; }));
    const auto other = *makeInputs(*block::bind(g, {{"tokens", 7000}, {"rows", 8}, {"width", 1}}), 3);
    EXPECT_NE(other.keys[0], inputs.keys[0]);
}

TEST(Inputs, DataStandsInPlaceOfTheFilling) {
    auto g = *block::preset("reduction");
    g.values[0].data = tensorOf<float>(DType::f32, {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 6});
    const auto b = *block::bind(g, {{"tokens", 2}, {"k", 3}});
    const auto one = *makeInputs(b, 1), two = *makeInputs(b, 2);
    EXPECT_EQ(one.tensors[0].as<float>()[5], 6);
    EXPECT_EQ(one.keys, two.keys); // no seed in it
    g.values[0].data = tensorOf<float>(DType::f32, {2, 3}, std::vector<float>{1, 2, 3, 4, 5, 7});
    EXPECT_NE((*makeInputs(*block::bind(g, {{"tokens", 2}, {"k", 3}}), 1)).keys[0], one.keys[0]);
}

TEST(Inputs, AreCachedByWhatMakesThem) {
    OpCache cache;
    const auto a = *makeInputs(sums(block::FillKind::normal), 1, &cache);
    const auto b = *makeInputs(sums(block::FillKind::normal), 1, &cache);
    EXPECT_EQ(cache.counters().hits, 1);
    EXPECT_EQ(a.tensors[0].view().data, b.tensors[0].view().data);
    EXPECT_EQ(a.keys, b.keys);
    for (const auto& other :
         {*makeInputs(sums(block::FillKind::positive), 1), *makeInputs(sums(block::FillKind::normal), 2),
          *makeInputs(sums(block::FillKind::normal, 65), 1)})
        EXPECT_NE(other.keys[0], a.keys[0]);
}

} // namespace
} // namespace divdet::run
