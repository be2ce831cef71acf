#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

TEST(PassMaskedRowNan, TheFirstRowOfEachMatrixIsNanAndNoOther) {
    constexpr std::size_t tokens = 5, width = 8;
    PassRun r("attention", {{"tokens", tokens}, {"width", width}, {"heads", 2}});
    const auto right = r.tap({}, "probs"), wrong = r.tap({"masked-row-nan"}, "probs");
    for (std::size_t at = 0; at < wrong.size(); ++at)
        if (at / tokens % tokens == 0) {
            EXPECT_TRUE(std::isnan(wrong[at]));
        } else {
            EXPECT_EQ(wrong[at], right[at]);
        }
    const auto out = r.tap({"masked-row-nan"}, "out"), plain = r.tap({}, "out");
    for (std::size_t at = 0; at < out.size(); ++at) {
        if (at / width == 0) {
            EXPECT_TRUE(std::isnan(out[at]));
        } else {
            EXPECT_EQ(out[at], plain[at]);
        }
    }
}

TEST(PassMaskedRowNan, SpreadsOverLaterTokensInTheNextLayer) {
    PassRun r("stack:2", {{"tokens", 4}, {"width", 8}, {"heads", 2}, {"hidden", 8}, {"vocab", 5}});
    for (float v : r.tap({"masked-row-nan"}, "logits")) EXPECT_TRUE(std::isnan(v));
    const auto second = r.tap({"masked-row-nan@layer1.attn.probs"}, "logits");
    for (std::size_t at = 0; at < second.size(); ++at) EXPECT_EQ(std::isnan(second[at]), at < 5);
}

TEST(PassMaskedRowNan, NeedsASoftmax) {
    EXPECT_EQ(PassRun("mlp").fit("masked-row-nan").error().message,
              "masked-row-nan does not fit: this block has no softmax");
}

} // namespace
} // namespace divdet
