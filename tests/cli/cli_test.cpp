// The command line as scripts see it: exit codes, messages, JSON.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/cli_fixture.h"
#include "dump/write.h"
#include "make_tensor.h"
#include "shared_data.h"

namespace divdet {
namespace {

namespace fs = std::filesystem;

using Cli = CliFixture;

TEST_F(Cli, ComparesTwoFilesAndSaysSoInItsExitCode) {
    const auto r = npy("r.npy", test::f32({1, 2, 3, 4})), c = npy("c.npy", test::f32({1, 2, 3, 4.001f}));
    EXPECT_EQ(divdet("compare " + r + " " + c + " --rtol 1e-3 --atol 0").code, 0);
    const Output o = divdet("compare " + r + " " + c);
    EXPECT_EQ(o.code, 1); // f32 against f32: preset fp32
    EXPECT_NE(o.out.find("OUTSIDE"), std::string::npos);
    EXPECT_NE(o.out.find("1 of 4 elements fail at rtol 1e-5, atol 1e-8"), std::string::npos) << o.out;
}

TEST_F(Cli, JsonHoldsTheContract) {
    const auto r = npy("r.npy", test::f32({1, 2, 0, 4}, {2, 2})),
               c = npy("c.npy", test::f32({1, 2.5f, 0.5f, 4}, {2, 2}));
    const Output o = divdet("compare " + r + " " + c + " --json - --rtol 0.01 --atol 0.001");
    EXPECT_EQ(o.code, 1);
    const auto j = o.json();
    EXPECT_EQ(j["tool"], "divdet");
    EXPECT_EQ(j["schema"], 1);
    EXPECT_EQ(j["command"], "compare");
    EXPECT_EQ(j["verdict"], "outside");
    EXPECT_EQ(j["class"], "unclear");
    EXPECT_TRUE(j["first_bad"].is_null());
    EXPECT_TRUE(j["metric"].is_null());
    EXPECT_EQ(j["tolerance"],
              (nlohmann::json{{"rule", "allclose"}, {"rtol", 0.01}, {"atol", 0.001}, {"equal_nan", false}}));
    EXPECT_EQ(j["counts"]["outside"], 1);
    const auto t = j["tensors"][0];
    EXPECT_EQ(t["name"], "r");
    EXPECT_EQ(t["candidate_name"], "c");
    EXPECT_EQ(t["dtype"], (nlohmann::json{"f32", "f32"}));
    EXPECT_EQ(t["shape"], (nlohmann::json{2, 2}));
    EXPECT_EQ(t["elements"], 4);
    EXPECT_EQ(t["mismatches"], 2);
    EXPECT_EQ(t["max_abs"], (nlohmann::json{{"value", 0.5}, {"index", {0, 1}}}));
    EXPECT_EQ(t["max_rel"]["value"], 0.25);
    EXPECT_EQ(t["max_rel"]["infinite"], 1);
    EXPECT_EQ(t["worst"]["index"], (nlohmann::json{1, 0}));
    EXPECT_EQ(t["worst"]["bound"], 0.001);
    EXPECT_EQ(t["nan"], (nlohmann::json{{"reference", 0}, {"candidate", 0}, {"both", 0}}));
    EXPECT_EQ(t["frontier"][0], (nlohmann::json{0.0, 0.5}));
    EXPECT_EQ(t["class"], "unclear");
    EXPECT_EQ(t["findings"], nlohmann::json::array());
    for (const char* later : {"z_rms", "beyond_hard_bound"}) EXPECT_TRUE(t[later].is_null()) << later;
}

TEST_F(Cli, NonFiniteNumbersAreStrings) {
    const auto r = npy("r.npy", test::f32({1, 2})), c = npy("c.npy", test::f32({1, 2}));
    EXPECT_EQ(divdet("compare " + r + " " + c + " --json -").json()["tensors"][0]["sqnr_db"], "inf");
}

TEST_F(Cli, AToleranceThatIsNoneIsAUsageError) {
    const auto r = npy("r.npy", test::f32({1, 2}));
    for (const char* bad :
         {"--rtol=inf", "--atol=nan", "--rtol=-1", "--rtol=1e-", "--preset none", "--rule sum"}) {
        const Output o = divdet("compare " + r + " " + r + " " + bad);
        EXPECT_EQ(o.code, 2) << bad;
        EXPECT_EQ(o.err.rfind("divdet: ", 0), 0u) << o.err;
    }
    EXPECT_EQ(divdet("compare " + r).code, 2);
    EXPECT_EQ(divdet("").code, 2);
    EXPECT_EQ(divdet("compare a b --no-such-option").code, 2);
}

TEST_F(Cli, AnUnreadableFileIsNamed) {
    const auto r = npy("r.npy", test::f32({1, 2}));
    const Output o = divdet("compare " + r + " " + (m_dir / "none.npz").string());
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("none.npz"), std::string::npos);
}

TEST_F(Cli, ShapesThatDifferAreIncomparable) {
    const auto r = npy("r.npy", test::f32({1, 2, 3, 4, 5, 6}, {2, 3})),
               c = npy("c.npy", test::f32({1, 2, 3, 4, 5, 6}, {3, 2}));
    const Output o = divdet("compare " + r + " " + c);
    EXPECT_EQ(o.code, 3);
    EXPECT_NE(o.out.find("transpose"), std::string::npos) << o.out;
}

TEST_F(Cli, ATapOnOneSideIsIncomplete) {
    const Tensor t = test::f32({1, 2});
    const std::vector<NamedTensor> two{{"a", t}, {"b", t}}, one{{"a", t}};
    ASSERT_TRUE(writeNpz(m_dir / "r.npz", two).ok());
    ASSERT_TRUE(writeNpz(m_dir / "c.npz", one).ok());
    const std::string files = (m_dir / "r.npz").string() + " " + (m_dir / "c.npz").string();
    EXPECT_EQ(divdet("compare " + files).code, 3);
    EXPECT_EQ(divdet("compare " + files + " --ignore-missing").code, 0);
    EXPECT_EQ(divdet("compare " + files + " --only a").code, 0);
    EXPECT_EQ(divdet("compare " + files + " --only zzz").code, 2);
}

TEST_F(Cli, SeveralCandidatesGiveOneBlockEach) {
    const auto r = npy("r.npy", test::f32({1, 2})), c = npy("c.npy", test::f32({1, 3}));
    const Output o = divdet("compare " + r + " " + r + " " + c + " --json -");
    EXPECT_EQ(o.code, 1);
    EXPECT_EQ(o.json()["candidates"].size(), 2u);
    EXPECT_EQ(o.json()["candidates"][0]["verdict"], "within");
}

TEST_F(Cli, InspectsAndHashes) {
    const auto r = npy("r.npy", test::f32({1, -2, 0}));
    const auto j = divdet("inspect " + r + " --hash --json -").json();
    const auto t = j["files"][0]["taps"][0];
    EXPECT_EQ(j["files"][0]["format"], "npy");
    EXPECT_EQ(t["dtype"], "f32");
    EXPECT_EQ(t["min"], -2.0);
    EXPECT_EQ(t["zeros"], 1);
    EXPECT_EQ(t["sha256"].get<std::string>().size(), 64u);
    std::ofstream(m_dir / "bad.npy") << "not a tensor";
    const Output bad = divdet("inspect " + (m_dir / "bad.npy").string() + " " + r + " --json -");
    EXPECT_EQ(bad.code, 2);
    EXPECT_FALSE(bad.json()["files"][0]["readable"]);
    EXPECT_TRUE(bad.json()["files"][1]["readable"]);
}

TEST_F(Cli, ToleranceGivesTheSmallestThatPasses) {
    const auto r = npy("r.npy", test::f32({1, 2, 4})), c = npy("c.npy", test::f32({1.5f, 2.5f, 4.5f}));
    const auto j = divdet("tolerance " + r + " " + c + " --json -").json();
    EXPECT_EQ(j["rtol_at_atol"][0], (nlohmann::json{{"rtol", 0.5}, {"atol", 0.0}}));
    EXPECT_EQ(j["atol_at_rtol"][0], (nlohmann::json{{"rtol", 0.0}, {"atol", 0.5}}));
    EXPECT_EQ(divdet("tolerance " + r + " " + c).code, 0);
}

TEST_F(Cli, ListsAndHelp) {
    EXPECT_GE(divdet("passes --json -").json()["passes"].size(), 6u);
    EXPECT_GE(divdet("blocks --json -").json()["blocks"].size(), 3u);
    EXPECT_EQ(divdet("devices --json -").json()["devices"][0]["id"], "cpu:sm_80");
    const auto last = divdet("devices --json -").json()["devices"].back();
    EXPECT_EQ(last["kind"], "gpu"); // a GPU, or the reason why there is none
    EXPECT_NE(last["available"].get<bool>(), last["why_not"].is_string());
    EXPECT_EQ(divdet("presets --json -").json()["presets"][0]["id"], "bf16");
    EXPECT_EQ(divdet("help rtol").code, 0);
    EXPECT_EQ(divdet("help nonsense").code, 2);
    EXPECT_EQ(divdet("--version").code, 0);
    EXPECT_EQ(divdet("run --help").code, 0);
}

TEST_F(Cli, RunsABlockAndRefusesWhatIsNotThere) {
    const Output o = divdet("run mlp --tokens 4 --width 32 --hidden 64 --no-passes --json -");
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.json()["environment"]["device"], "cpu:sm_80");
    EXPECT_EQ(o.json()["block"]["dims"]["width"], 32);
    EXPECT_EQ(divdet("run mlp --pass nonsense").code, 2);
    EXPECT_EQ(divdet("run nonsense").code, 2);
    EXPECT_EQ(divdet("run mlp --width 0").code, 2);
    EXPECT_EQ(divdet("run mlp --device cuda:0").code, 2);
}

TEST_F(Cli, BlocksTakeTheirSizesOptionsAndFiles) {
    const std::string file = (m_dir / "graph.json").string();
    const Output o =
        divdet("run stack --layers 2 --tokens 4 --width 8 --heads 2 --hidden 8 --vocab 5 --norm layer "
               "--activation relu --inputs positive --no-passes --json - --graph-out " +
               file);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.json()["block"]["dims"]["layers"], 2);
    EXPECT_EQ(o.json()["block"]["norm"], "layer");
    EXPECT_EQ(o.json()["counts"]["pairs"], 45);
    const Output again = divdet("run json:" + file + " --no-passes --json -");
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.json()["block"]["dims"], o.json()["block"]["dims"]);
    EXPECT_EQ(again.json()["tensors"].size(), o.json()["tensors"].size());
    EXPECT_EQ(divdet("run json:" + file + " --no-passes --layers 3").code, 2);
    EXPECT_EQ(divdet("run json:" + (m_dir / "none.json").string()).code, 2);
    EXPECT_EQ(divdet("run attention --width 10 --heads 3").code, 2);
    EXPECT_EQ(divdet("run linear --norm rms").code, 2);
    EXPECT_EQ(divdet("run mlp --inputs file").code, 2);
    const Output unfit = divdet("run scatter-add --pass tf32");
    EXPECT_EQ(unfit.code, 2);
    EXPECT_NE(unfit.err.find("this block has no matrix product"), std::string::npos);
}

/// The lesson of the default block, as the README tells it.
TEST_F(Cli, TheDefaultBlockShowsTheLesson) {
    const std::string loose = " --rtol 1e-2 --atol 1e-3", tight = " --rtol 1e-5 --atol 1e-8";
    EXPECT_EQ(divdet("run mlp --pass reassociate=splitk:8" + loose).code, 0);
    EXPECT_EQ(divdet("run mlp --pass tf32" + loose).code, 0);
    EXPECT_EQ(divdet("run mlp --pass int8" + loose).code, 0);
    EXPECT_EQ(divdet("run mlp --pass wrong-accumulator=bf16" + loose).code, 1);
    EXPECT_EQ(divdet("run mlp --pass reassociate=splitk:8" + tight).code, 1);
}

TEST_F(Cli, TheNumberOfThreadsChangesNothing) {
    const std::string base = "run mlp --tokens 16 --json - --threads ";
    auto one = divdet(base + "1").json(), two = divdet(base + "2").json();
    for (auto* j : {&one, &two}) {
        j->erase("seconds");
        j->erase("environment");
    }
    EXPECT_EQ(one, two);
}

} // namespace
} // namespace divdet
