#include "judge/taps/repeats.h"

#include <vector>

#include <gtest/gtest.h>

namespace divdet {
namespace {

bool repeats(std::vector<std::string> names) {
    return areRepeats(names);
}

TEST(Repeats, AreOneOutputCountedUp) {
    EXPECT_TRUE(repeats({"iter0", "iter1", "iter2"}));
    EXPECT_TRUE(repeats({"out_0", "out_1"}));
    EXPECT_TRUE(repeats({"Run.1", "Run.2"}));
}

TEST(Repeats, AreNotLayersNorMixedNames) {
    EXPECT_FALSE(repeats({"layer0", "layer1", "layer2"}));
    EXPECT_FALSE(repeats({"iter0", "logits"}));
    EXPECT_FALSE(repeats({"iter0", "step1"}));
    EXPECT_FALSE(repeats({"iter", "iter"}));
    EXPECT_FALSE(repeats({"iter0"}));
    EXPECT_FALSE(repeats({}));
}

} // namespace
} // namespace divdet
