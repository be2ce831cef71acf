// run --sane-tolerance: what is printed, and whether the recommended numbers do what they promise.
#include "cli/cli_fixture.h"

namespace divdet {
namespace {

using SaneToleranceCli = CliFixture;

const std::string kRun = "run mlp --tokens 16 --width 64 --hidden 128 ";

TEST_F(SaneToleranceCli, IsNullWhereNotAsked) {
    const auto json = divdet(kRun + "--no-passes --json -").json();
    ASSERT_TRUE(json.contains("sane_tolerance"));
    EXPECT_TRUE(json["sane_tolerance"].is_null());
}

TEST_F(SaneToleranceCli, TheRecommendationHoldsForRunsOfItsOwn) {
    const auto sane =
        divdet(kRun + "--pass reassociate --pass tf32 --sane-tolerance --json -").json()["sane_tolerance"];
    const auto& on = sane["drift_on"];
    ASSERT_EQ(on["state"], "open");
    const auto& there = on["recommended"];
    const std::string tolerance = " --rtol " + there["rtol"].dump() + " --atol " + there["atol"].dump();
    for (const auto& honest : on["honest"]) {
        if (honest == "all together") continue;
        EXPECT_EQ(divdet(kRun + "--pass " + honest.get<std::string>() + tolerance).code, 0) << honest;
    }
    int caught = 0;
    for (const auto& bug : on["bugs"]) {
        const bool says = bug["separation"] == "caught";
        caught += says;
        EXPECT_EQ(divdet(kRun + "--pass " + bug["bug"].get<std::string>() + tolerance).code, says ? 1 : 0)
            << bug;
    }
    EXPECT_GT(caught, 0);
    EXPECT_EQ(caught, there["caught"]);
    // Every drift pass is a larger set.
    EXPECT_GE(sane["every_drift"]["honest_needs"], on["honest_needs"]);
}

TEST_F(SaneToleranceCli, PrintsEveryRunAndTheExitCodeStaysThatOfTheRun) {
    const Output o = divdet(kRun + "--pass wrong-accumulator=bf16 --rtol 1e-6 --atol 1e-9 --sane-tolerance");
    EXPECT_EQ(o.code, 1);
    for (const char* word : {"int8=per-token", "wrong-accumulator=bf16", "bug, on", "beside every drift"})
        EXPECT_NE(o.out.find(word), std::string::npos) << word << o.out;
    EXPECT_EQ(o.out.find("beside drift on"), std::string::npos) << "no drift is on";
}

TEST_F(SaneToleranceCli, IsExplained) {
    EXPECT_NE(divdet("run --help").out.find("--sane-tolerance"), std::string::npos);
    EXPECT_NE(divdet("help sane-tolerance").out.find("caught"), std::string::npos);
}

} // namespace
} // namespace divdet
