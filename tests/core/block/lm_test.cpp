#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "block/presets.h"
#include "block/presets/lm_weights.h"
#include "run/inputs.h"
#include "run/reference.h"

/// The trained model without any backend: its weights are there, and the fp64 reference guesses as it should.
namespace divdet::block {
namespace {

TEST(LanguageModel, EveryWeightAndTokenIsTrainedData) {
    const Graph g = *preset("lm");
    std::set<std::string> used;
    for (const Value& v : g.values) {
        if (v.role == Role::intermediate) continue;
        EXPECT_TRUE(v.data.has_value()) << v.name;
        if (presets::trainedTensor(v.name)) used.insert(v.name);
    }
    EXPECT_EQ(used.size(), presets::trainedTensors().size()); // nothing is carried along for nothing
    std::int64_t bytes = 0;
    for (const auto& t : presets::trainedTensors()) bytes += t.tensor.elements() * 2;
    EXPECT_LT(bytes, 2 << 20);
    const auto b = bind(g);
    ASSERT_TRUE(b.ok()) << b.error().text();
    EXPECT_GE(b->dims.at("tokens"), 2000);
}

TEST(LanguageModel, GuessesTokensItHasNeverSeen) {
    const auto b = *bind(*preset("lm"));
    const auto taps = *run::reference64(b, *run::makeInputs(b, 0));
    const auto logits = taps.find("logits")->tensor.as<double>();
    const auto targets = taps.find("targets")->tensor.as<float>();
    ASSERT_EQ(targets.size(), 2048u);
    const std::size_t vocab = logits.size() / targets.size();
    std::size_t right = 0;
    double nats = 0;
    for (std::size_t t = 0; t < targets.size(); ++t) {
        const auto row = logits.subspan(t * vocab, vocab);
        const auto best = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
        const auto due = static_cast<std::size_t>(targets[t]);
        right += best == due;
        double sum = 0;
        for (double x : row) sum += std::exp(x - row[best]);
        nats += row[best] + std::log(sum) - row[due];
    }
    const double top1 = static_cast<double>(right) / 2048;
    std::printf("fp64: top-1 %.4f, cross-entropy %.4f nats\n", top1, nats / 2048);
    EXPECT_GE(top1, 0.68); // a guess by frequency alone: the full stop, one token in six
    EXPECT_LE(top1, 0.85);
}

TEST(LanguageModel, TextsDoNotSeeEachOther) {
    const auto b = *bind(*preset("lm"), {{"tokens", 128}});
    const auto both = *run::reference64(b, *run::makeInputs(b, 0));
    const auto one = *bind(*preset("lm"), {{"tokens", 64}});
    const auto first = *run::reference64(one, *run::makeInputs(one, 0));
    const auto x = both.find("logits")->tensor.as<double>(), y = first.find("logits")->tensor.as<double>();
    for (std::size_t i = 0; i < y.size(); ++i) ASSERT_EQ(x[i], y[i]);
    auto inputs = *run::makeInputs(b, 0);
    const auto ids = *b.graph.find("ids");
    std::vector<float> changed(inputs.tensors[ids].as<float>().begin(),
                               inputs.tensors[ids].as<float>().end());
    changed[3] = changed[3] == 7 ? 8 : 7; // in the first text
    inputs.tensors[ids] = tensorOf<float>(DType::f32, {128}, changed);
    const auto after = *run::reference64(b, inputs);
    const auto z = after.find("logits")->tensor.as<double>();
    const std::size_t vocab = x.size() / 128;
    EXPECT_NE(x[63 * vocab], z[63 * vocab]); // attention reaches sixty tokens back
    for (std::size_t i = 0; i < 3 * vocab; ++i) ASSERT_EQ(x[i], z[i]);
    for (std::size_t i = 64 * vocab; i < x.size(); ++i) ASSERT_EQ(x[i], z[i]);
}

TEST(LanguageModel, TokensAreWholeTextsOrLessThanOne) {
    EXPECT_TRUE(bind(*preset("lm"), {{"tokens", 10}}).ok());
    const auto broken = bind(*preset("lm"), {{"tokens", 100}});
    ASSERT_FALSE(broken.ok());
    EXPECT_NE(broken.error().message.find("windows of 64"), std::string::npos) << broken.error().text();
    EXPECT_NE(bind(*preset("lm"), {{"tokens", 4096}}).error().hint.find("2048"), std::string::npos);
    EXPECT_EQ(bind(*preset("lm"), {{"width", 32}}).error().code, ErrorCode::usage);
}

} // namespace
} // namespace divdet::block
