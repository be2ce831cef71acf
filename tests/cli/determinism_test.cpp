// divdet determinism on live blocks: exit codes, JSON, refusals. Whether a race shows is the machine's
// business.
#include "cli_fixture.h"
#include "make_tensor.h"

namespace divdet {
namespace {

using DeterminismCli = CliFixture;

constexpr const char* kSmall = " --runs 10 --pairs 2 --trials 2 ";

TEST_F(DeterminismCli, ScatterAddRacesAndStandsStillUnderTheSwitch) {
    const auto o = divdet(std::string("determinism scatter-add --json -") + kSmall);
    ASSERT_TRUE(o.code == 0 || o.code == 1) << o.err;
    const auto j = o.json();
    EXPECT_EQ(j["verdict"], o.code == 1 ? "varies" : "same-bits");
    EXPECT_EQ(j["command"], "determinism");
    EXPECT_EQ(j["runs"], 10);
    EXPECT_EQ(j["block"]["id"], "scatter-add");
    EXPECT_EQ(j["left_to_chance"][0], "out");
    EXPECT_EQ(j["sources"].size(), 5u);
    EXPECT_EQ(j["sources"][0]["result"]["threads"]["races"], 10);
    EXPECT_EQ(j["switch"]["result"]["bit_equal"], true);
    EXPECT_EQ(j["cost"]["pairs"], 2);
    EXPECT_EQ(j["environment"]["device"], "cpu:sm_80");
}

TEST_F(DeterminismCli, OneThreadHasTheSameBits) {
    const auto o = divdet(std::string("determinism scatter-add --source atomics --threads 1") + kSmall);
    EXPECT_EQ(o.code, 0) << o.out << o.err;
    EXPECT_NE(o.out.find("no difference was seen in 10 runs"), std::string::npos);
    EXPECT_NE(o.out.find("not measured here: 10 to 30 %"), std::string::npos);
}

TEST_F(DeterminismCli, WithTheSwitchNothingVariesOrItIsRefused) {
    const std::string small = std::string(" --width 64 --hidden 128 --tokens 16") + kSmall;
    const auto o = divdet("determinism mlp --deterministic --pass tf32 --json -" + small);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.json()["verdict"], "same-bits");
    EXPECT_EQ(o.json()["sources"].size(), 0u);
    EXPECT_EQ(o.json()["switch"]["changes"].size(), 4u);
    const auto refused = divdet("determinism mlp --deterministic --pass race@down" + small);
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("down"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("no deterministic variant"), std::string::npos) << refused.err;
}

TEST_F(DeterminismCli, BatchInvarianceStandsInTheText) {
    const auto o = divdet(std::string("determinism mlp --source batch --pairs 0 --runs 2"));
    EXPECT_EQ(o.code, 3) << o.err; // nothing that varies from run to run was asked for
    EXPECT_NE(o.out.find("up 4 alone, 1 in the batch"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("8 chunks of k for every batch: same bits"), std::string::npos) << o.out;
}

TEST_F(DeterminismCli, RefusesOptionsThatMeanNothing) {
    const std::string run = npy("a.npy", test::f32({1, 2}));
    EXPECT_EQ(divdet("determinism " + run + " " + run).code, 0);
    EXPECT_EQ(divdet("determinism " + run + " " + run + " --runs 5").code, 2);
    EXPECT_EQ(divdet("determinism scatter-add --only out").code, 2);
    EXPECT_EQ(divdet("determinism scatter-add --source luck").code, 2);
    EXPECT_EQ(divdet("determinism scatter-add --runs 1").code, 2);
    EXPECT_EQ(divdet("determinism no-such-block").code, 2);
    EXPECT_EQ(divdet("determinism " + run).code, 2); // one dump
    EXPECT_EQ(divdet("help determinism").code, 0);
}

} // namespace
} // namespace divdet
