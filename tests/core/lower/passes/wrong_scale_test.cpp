#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

TEST(PassWrongScale, OneColumnChangesByTheRatioOfTheScales) {
    constexpr std::size_t m = 7, k = 33, n = 5;
    PassRun r(productGraph(m, k, n));
    const auto w = r.given("w"), honest = r.tap({"int8"}, "y");
    for (const std::size_t hit : {0, 2, 4}) {
        const auto wrong = r.tap({"wrong-scale=channel:" + std::to_string(hit)}, "y");
        const double ratio = static_cast<double>(test::largest(w, (hit + 1) % n, k, n)) /
                             static_cast<double>(test::largest(w, hit, k, n));
        ASSERT_NE(ratio, 1);
        for (std::size_t i = 0; i < m * n; ++i)
            if (i % n != hit) {
                EXPECT_EQ(wrong[i], honest[i]);
            } else {
                EXPECT_NEAR(wrong[i], honest[i] * ratio, std::fabs(honest[i] * ratio) * 0x1p-21);
            }
    }
    EXPECT_EQ(r.tap({"wrong-scale"}, "y"), r.tap({"wrong-scale=channel:0", "int8"}, "y"));
}

TEST(PassWrongScale, SwitchesInt8OnAndNeedsANeighbour) {
    PassRun r("mlp", {{"tokens", 3}, {"width", 32}, {"hidden", 64}});
    EXPECT_EQ(r.slots({"wrong-scale@down"}, "down"), "operand=int8:per-token scales=neighbour:0");
    EXPECT_EQ(r.slots({"wrong-scale@down"}, "up"), "");
    EXPECT_EQ(r.slots({"clip-calibration", "wrong-scale"}, "up"),
              "operand=int8:per-token scales=neighbour:0");
    EXPECT_EQ(r.lowered({"clip-calibration", "wrong-scale"}).notes,
              std::vector<std::string>{"clip-calibration is overridden by wrong-scale on up, down"});
    PassRun narrow(productGraph(3, 8, 1));
    EXPECT_NE(narrow.fit("wrong-scale@y").error().message.find("several channels"), std::string::npos);
}

} // namespace
} // namespace divdet
