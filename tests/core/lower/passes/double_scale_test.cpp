#include <cmath>

#include "core/lower/passes/pass_run.h"

namespace divdet {
namespace {

using test::Floats;
using test::PassRun;
using test::productGraph;

TEST(PassDoubleScale, MultipliesTwice) {
    PassRun r("attention", {{"tokens", 6}, {"width", 24}, {"heads", 2}}); // 1/sqrt(12)
    const auto scores = r.tap({"double-scale"}, "scores"), scaled = r.tap({"double-scale"}, "scaled");
    for (std::size_t i = 0; i < scores.size(); ++i)
        EXPECT_NEAR(scaled[i], scores[i] / 12.0, std::fabs(scores[i] / 12.0) * 0x1p-22);
    EXPECT_EQ(scores, r.tap({}, "scores"));
    EXPECT_NE(scaled, r.tap({}, "scaled"));
}

TEST(PassDoubleScale, TheReferenceAndTheTapsStayAsWritten) {
    PassRun r("attention", {{"tokens", 6}, {"width", 24}, {"heads", 2}});
    const auto candidate = r.run({"double-scale"}), plain = r.run({});
    ASSERT_EQ(candidate.taps.size(), plain.taps.size());
    for (std::size_t i = 0; i < plain.taps.size(); ++i) EXPECT_EQ(candidate.taps[i].name, plain.taps[i].name);
    EXPECT_EQ(r.tap({"double-scale", "fuse@scores"}, "masked"), r.tap({"double-scale"}, "masked"));
}

TEST(PassDoubleScale, NeedsAFactorThatChangesSomething) {
    EXPECT_NE(PassRun("mlp").fit("double-scale").error().message.find("scales nothing"), std::string::npos);
    PassRun one("attention", {{"tokens", 4}, {"width", 4}, {"heads", 4}}); // heads of width 1
    EXPECT_FALSE(one.fit("double-scale").ok());
    EXPECT_NE(one.fit("double-scale@masked").error().message.find("scales nothing"), std::string::npos);
}

} // namespace
} // namespace divdet
