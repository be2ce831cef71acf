#include "judge/taps/tap_name.h"

#include <gtest/gtest.h>

#include "judge/taps/tap_order.h"

using namespace divdet;

namespace {

std::vector<std::string> ordered(const std::vector<std::string>& names) {
    std::vector<TapName> read;
    for (const auto& n : names) read.push_back(readTapName(n));
    std::vector<std::string> out;
    for (const auto i : executionOrder(read)) out.push_back(names[i]);
    return out;
}

} // namespace

TEST(TapName, ANumberBetweenDotsOrSlashesIsTheLayer) {
    EXPECT_EQ(readTapName("layers.2.mlp.down").layer, 2);
    EXPECT_EQ(readTapName("layers.2.mlp.down").role, "layers.*.mlp.down");
    EXPECT_EQ(readTapName("/encoder/11/Conv_output_0").role, "/encoder/*/Conv_output_0");
}

TEST(TapName, ElseLettersAndANumberAre) {
    EXPECT_EQ(readTapName("layer3.down").layer, 3);
    EXPECT_EQ(readTapName("layer3.down").role, "layer*.down");
    EXPECT_EQ(readTapName("Model/LayerNorm_1/Sub:0").layer, 1);
    EXPECT_EQ(readTapName("Model/LayerNorm_1/Sub:0").role, "Model/LayerNorm_*/Sub");
    EXPECT_EQ(readTapName("block2.0.conv1").role, "block2.*.conv1") << "a bare number comes before";
}

TEST(TapName, OutputNumbersIdsAndWordsAreNoLayers) {
    for (const char* name : {"logits", "Reshape:0", "conv2d_53x", "Sum_1_output_0", "v.123456", ""})
        EXPECT_FALSE(readTapName(name).layer) << name;
}

TEST(TapName, GradientsAreTold) {
    EXPECT_TRUE(readTapName("layers.1.weight.grad").gradient);
    EXPECT_TRUE(readTapName("Gradients/layers.1").gradient);
    EXPECT_TRUE(readTapName("layers.1.q_grad").gradient);
    EXPECT_FALSE(readTapName("layers.1.gradual").gradient);
}

TEST(TapOrder, GradientsByRisingLayerRanTheOtherWay) {
    EXPECT_EQ(ordered({"l.0.out", "l.0.grad", "l.1.out", "l.1.grad", "loss"}),
              (std::vector<std::string>{"l.0.out", "l.1.out", "loss", "l.1.grad", "l.0.grad"}));
}

TEST(TapOrder, GradientsByFallingLayerAreInOrder) {
    EXPECT_EQ(ordered({"l.0.out", "l.1.out", "l.1.grad", "l.0.grad"}),
              (std::vector<std::string>{"l.0.out", "l.1.out", "l.1.grad", "l.0.grad"}));
}
