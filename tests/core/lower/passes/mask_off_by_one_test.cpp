#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

TEST(PassMaskOffByOne, EachTokenSeesOneMore) {
    constexpr std::size_t tokens = 6, heads = 2;
    PassRun r("attention", {{"tokens", tokens}, {"width", 8}, {"heads", heads}});
    const auto scaled = r.tap({"mask-off-by-one"}, "scaled"), masked = r.tap({"mask-off-by-one"}, "masked"),
               right = r.tap({}, "masked");
    for (std::size_t at = 0; at < masked.size(); ++at) {
        const std::size_t i = at / tokens % tokens, j = at % tokens;
        EXPECT_EQ(masked[at], j <= i + 1 ? scaled[at] : -INFINITY);
        EXPECT_EQ(masked[at] != right[at], j == i + 1) << i << " " << j;
    }
}

TEST(PassMaskOffByOne, LeaksTheFutureIntoTheOutput) {
    constexpr std::size_t width = 8, token = 4;
    PassRun r("attention", {{"tokens", 6}, {"width", width}, {"heads", 2}});
    const auto changedRows = [&](const PassRun::Passes& passes) {
        const auto before = r.tap(passes, "out");
        auto x = r.given("x");
        const auto kept = x;
        for (std::size_t i = 0; i < width; ++i) x[token * width + i] += 1.0f + static_cast<float>(i);
        r.give("x", x);
        const auto after = r.tap(passes, "out");
        r.give("x", kept);
        std::vector<std::size_t> rows;
        for (std::size_t row = 0; row < 6; ++row)
            if (!std::equal(&before[row * width], &before[row * width] + width, &after[row * width]))
                rows.push_back(row);
        return rows;
    };
    EXPECT_EQ(changedRows({}), (std::vector<std::size_t>{4, 5}));
    EXPECT_EQ(changedRows({"mask-off-by-one"}), (std::vector<std::size_t>{3, 4, 5}));
}

TEST(PassMaskOffByOne, NeedsAMask) {
    EXPECT_EQ(PassRun("mlp").fit("mask-off-by-one").error().message,
              "mask-off-by-one does not fit: this block has no causal mask");
}

} // namespace
} // namespace divdet
