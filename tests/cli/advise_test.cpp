#include "cli/cli_fixture.h"

namespace divdet {
namespace {

using Advise = CliFixture;

constexpr const char* kSmall = "advise matmul --m 16 --n 16 --k 32 --dtype bf16 ";

TEST_F(Advise, GivesToleranceRatePowerAndLinesToPaste) {
    const Output o = divdet(std::string(kSmall) + "--p 1e-3 --json -");
    ASSERT_EQ(o.code, 0) << o.err;
    const auto j = o.json();
    EXPECT_EQ(j["command"], "advise");
    EXPECT_GT(j["recommended"]["rtol"].get<double>(), 1e-3);
    EXPECT_LE(j["false_alarm"].get<double>(), 1.001e-3);
    EXPECT_GT(j["false_alarm"].get<double>(), 2e-4);
    EXPECT_TRUE(j["given"].is_null());
    ASSERT_FALSE(j["power"].empty());
    for (const auto& p : j["power"]) {
        EXPECT_GE(p["caught"].get<double>(), 0);
        EXPECT_LE(p["caught"].get<double>(), 1);
        EXPECT_TRUE(p["caught_by_given"].is_null());
    }
    EXPECT_EQ(j["op"]["out"], "bf16");
    for (const char* tool : {"torch", "numpy", "polygraphy"})
        EXPECT_NE(j["snippets"][tool].get<std::string>().find("rtol="), std::string::npos) << tool;
    EXPECT_EQ(divdet(std::string(kSmall) + "--p 1e-3 --json - --threads 1").json()["power"], j["power"]);
}

TEST_F(Advise, EndsWithOneForAToleranceThatIsFlakyOrBlind) {
    const Output flaky = divdet(std::string(kSmall) + "--rtol 0 --atol 1e-3 --json -");
    EXPECT_EQ(flaky.code, 1);
    EXPECT_EQ(flaky.json()["given"]["verdict"], "flaky");
    const Output blind = divdet(std::string(kSmall) + "--rtol 0.1 --atol 0.1");
    EXPECT_EQ(blind.code, 1);
    EXPECT_NE(blind.out.find("is blind"), std::string::npos) << blind.out;
    const Output fine = divdet(std::string(kSmall) + "--rtol 0.004 --atol 1e-5 --json -");
    EXPECT_EQ(fine.code, 0);
    EXPECT_EQ(fine.json()["given"]["verdict"], "fine");
}

TEST_F(Advise, PrintsTheLinesOfOneTool) {
    const Output o = divdet(std::string(kSmall) + "--snippet numpy");
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("numpy.testing.assert_allclose"), std::string::npos);
    EXPECT_EQ(o.out.find("torch.testing"), std::string::npos);
    EXPECT_NE(divdet("help advise").out.find("flaky"), std::string::npos);
}

TEST_F(Advise, SaysWhatToGive) {
    for (const auto& [args, word] : {std::pair{"advise nothing", "matmul"},
                                     {"advise matmul --dtype f8", "int8"},
                                     {"advise matmul --p 0", "1e-6"},
                                     {"advise softmax --acc bf16", "leave it out"},
                                     {"advise matmul --snippet c", "torch"},
                                     {"advise matmul --rtol -1", "not negative"},
                                     {"advise matmul --heads 3", "heads"},
                                     {"advise matmul --inputs odd", "positive"}}) {
        const Output o = divdet(args);
        EXPECT_EQ(o.code, 2) << args;
        EXPECT_NE(o.err.find(word), std::string::npos) << args << ": " << o.err;
    }
}

constexpr const char* kRun = "run mlp --tokens 8 --width 32 --hidden 64 --pass bf16 ";

TEST_F(Advise, DerivedToleranceOfARunPassesHonestRunsAndCatchesFaults) {
    const Output honest = divdet(std::string(kRun) + "--preset derived --judge all --json -");
    EXPECT_EQ(honest.code, 0) << honest.out;
    const auto j = honest.json();
    EXPECT_EQ(j["derived"]["p"], 1e-6);
    EXPECT_GT(j["derived"]["k"].get<double>(), 4);
    EXPECT_GT(j["derived"]["taps"]["down"]["rtol"].get<double>(), 0);
    EXPECT_NE(j["derived"]["taps"]["down"], j["derived"]["taps"]["norm"]);
    EXPECT_EQ(
        divdet(std::string(kRun) + "--pass wrong-accumulator=bf16@down --preset derived --judge all").code,
        1);
    const Output text = divdet(std::string(kRun) + "--preset derived --p 1e-3");
    EXPECT_NE(text.out.find("sigma"), std::string::npos);
    EXPECT_NE(text.out.find("1.00e-3"), std::string::npos) << text.out;
}

TEST_F(Advise, DerivedToleranceTakesNoOther) {
    EXPECT_EQ(divdet(std::string(kRun) + "--preset derived --rtol 1e-3").code, 2);
    EXPECT_EQ(divdet(std::string(kRun) + "--p 1e-3").code, 2);
    EXPECT_EQ(divdet(std::string(kRun) + "--preset derived --p 2").code, 2);
}

} // namespace
} // namespace divdet
