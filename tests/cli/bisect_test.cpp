#include <csignal>
#include <thread>

#include "cli/cli_fixture.h"
#include "make_tensor.h"

namespace divdet {
namespace {

/// The verbs bisect and stages as scripts see them: JSON, exit codes, state files, real commands.
class Bisect : public CliFixture {
protected:
    std::string file(const std::string& name, const std::string& text) {
        const auto path = m_dir / name;
        std::ofstream(path) << text;
        return path.string();
    }
    std::string items(int n) {
        std::string text;
        for (int i = 0; i < n; ++i) text += "item" + std::to_string(i) + "\n";
        return file("items.txt", text);
    }
};

constexpr const char* kSmall = "bisect mlp --tokens 8 --width 32 --hidden 64 ";

TEST_F(Bisect, ABlockEndsWithItsFaultAndTheRunThatShowsIt) {
    const auto o =
        divdet(std::string(kSmall) + "--pass tf32 --pass int8 --pass wrong-accumulator=bf16 --pass "
                                     "reassociate=splitk:8 --json -");
    EXPECT_EQ(o.code, 0) << o.err;
    const auto j = o.json();
    EXPECT_EQ(j["command"], "bisect");
    EXPECT_EQ(j["ending"], "found");
    EXPECT_EQ(j["culprits"][0]["items"], nlohmann::json::array({"wrong-accumulator=bf16"}));
    EXPECT_EQ(j["culprits"][0]["numbers"], nlohmann::json::array({3}));
    EXPECT_EQ(j["bad_when"], "bug");
    EXPECT_EQ(j["steady"], true);
    EXPECT_TRUE(j["miss_bound"].is_null());
    EXPECT_LE(j["runs"].get<int>() - j["checks"].get<int>(), 4);
    // The run it names fails as it says.
    const std::string run = j["culprits"][0]["run"];
    ASSERT_EQ(run.rfind("divdet run mlp", 0), 0u) << run;
    const auto again = divdet(run.substr(7) + " --json -").json();
    EXPECT_EQ(again["class"], "bug");
    const auto text = divdet(std::string(kSmall) + "--pass tf32 --pass wrong-accumulator=bf16");
    EXPECT_NE(text.out.find("everything on: bad (bug, "), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("FOUND  wrong-accumulator=bf16"), std::string::npos) << text.out;
}

TEST_F(Bisect, ExitCodesSayWhatTheEndIs) {
    EXPECT_EQ(divdet(std::string(kSmall) + "--pass tf32").code, 1); // nothing fails
    EXPECT_EQ(divdet(std::string(kSmall) + "--pass nonsense").code, 2);
    EXPECT_EQ(divdet(std::string(kSmall) + "--no-passes").code, 2);
    EXPECT_EQ(divdet("bisect").code, 2);
    EXPECT_EQ(divdet("bisect mlp --cmd true").code, 2);
    EXPECT_EQ(divdet("bisect --cmd true").code, 2);            // nothing to switch
    EXPECT_EQ(divdet("bisect --count 4 --cmd false").code, 3); // bad with everything off too
    EXPECT_EQ(divdet("bisect --count 4 --cmd true").code, 1);
    EXPECT_EQ(divdet("bisect --count 4 --cmd 'exit 125'").code, 3);
    EXPECT_EQ(divdet("bisect --count 4 --cmd no-such-command-here").code, 3);
    EXPECT_EQ(divdet("bisect --count 4 --cmd '[ {n} -lt 3 ]'").code, 0);
    EXPECT_EQ(divdet("bisect --count 4 --cmd '[ {n} -lt 3 ]' --bad-code 0").code, 2);
    EXPECT_EQ(divdet("bisect --count 4 --cmd '[ {n} -lt 3 ]' --bad-when bug").code, 2);
    EXPECT_EQ(divdet("bisect --count 4 --cmd '[ {n} -lt 3 ]' --fail-regex '('").code, 2);
    EXPECT_EQ(divdet("bisect --count 4 --cmd '[ {n} -lt 3 ]' --timeout 0").code, 2);
    EXPECT_EQ(divdet("bisect --count 4 --cmd '[ {n} -lt 3 ]' --confidence 100%").code, 2);
    EXPECT_EQ(divdet("bisect --count 4 --cmd '[ {n} -lt 3 ]' --resume").code, 2);
}

TEST_F(Bisect, AThousandItemsOfAScript) {
    const std::string sh = file("check.sh", "case ,$DIVDET_ENABLED, in *,item421,*) exit 7;; esac\n");
    const auto o = divdet("bisect --items " + items(1000) + " --cmd 'sh " + sh + "' --bad-code 7 --json -");
    EXPECT_EQ(o.code, 0) << o.err;
    const auto j = o.json();
    EXPECT_EQ(j["culprits"][0]["items"][0], "item421");
    EXPECT_EQ(j["checks"], 8); // on and off three times, the culprit alone, everything else
    EXPECT_LE(j["runs"].get<int>() - j["checks"].get<int>(), 10);
    EXPECT_EQ(j["failure"], "exit 7");
}

TEST_F(Bisect, TheDumpThatACommandWritesIsJudged) {
    npy("good.npy", test::f32({1, 2, 3}));
    npy("bad.npy", test::f32({1, 2, 3.5f}));
    npy("nan.npy", test::f32({1, 2, std::numeric_limits<float>::quiet_NaN()}));
    const std::string dir = m_dir.string();
    const std::string sh =
        file("run.sh", "case ,$DIVDET_ENABLED, in\n *,item2,*item6,*) f=bad;;\n *) f=good;;\nesac\n"
                       "cp " +
                           dir + "/$f.npy " + dir + "/out.npy\n");
    const std::string common = "bisect --items " + items(8) + " --cmd 'sh " + sh + "' --compare " + dir +
                               "/good.npy " + dir + "/out.npy --json - ";
    const auto j = divdet(common + "--rtol 1e-3 --atol 1e-6").json();
    EXPECT_EQ(j["culprits"][0]["items"], nlohmann::json::array({"item2", "item6"})); // only together
    EXPECT_EQ(j["failure"], "accuracy");
    EXPECT_EQ(divdet(common + "--rtol 0.2 --atol 0.1").code, 1);
    EXPECT_EQ(
        divdet("bisect --items " + items(8) + " --cmd true --compare " + dir + "/no.npy " + dir + "/out.npy")
            .code,
        2);
    file("run.sh", "case ,$DIVDET_ENABLED, in\n *,item3,*) f=nan;;\n *,item6,*) f=bad;;\n *) f=good;;\nesac\n"
                   "cp " +
                       dir + "/$f.npy " + dir + "/out.npy\n");
    const auto kept = divdet(common + "--rtol 1e-3 --atol 1e-6").json();
    EXPECT_EQ(kept["failure"], "non-finite");
    EXPECT_EQ(kept["culprits"][0]["items"], nlohmann::json::array({"item3"}));
}

/// The command kills divdet itself, as a crash of the machine would, when item 5 is on beside few others.
TEST_F(Bisect, GoesOnAfterItWasKilled) {
    const std::string sh =
        file("kill.sh", "n=$DIVDET_N\n[ $n = 12 ] && kill -9 $(ps -o ppid= -p $PPID)\n[ $n -lt 11 ]\n");
    const std::string hunt =
        "bisect --count 16 --cmd 'sh " + sh + "' --state " + (m_dir / "state.json").string() + " --json - ";
    const auto killed = divdet(hunt);
    EXPECT_NE(killed.code, 0);
    EXPECT_TRUE(killed.out.empty());
    const auto o = divdet(hunt + "--resume");
    EXPECT_EQ(o.code, 0) << o.err << o.out;
    const auto j = o.json();
    EXPECT_EQ(j["culprits"][0]["numbers"], nlohmann::json::array({11}));
    EXPECT_NE(j["story"][0].get<std::string>().find("past the run that ended the program: 1-12"),
              std::string::npos)
        << j["story"][0];
    EXPECT_EQ(divdet(hunt).code, 2); // would overwrite
    EXPECT_EQ(
        divdet("bisect --count 17 --cmd 'sh " + sh + "' --resume --state " + (m_dir / "state.json").string())
            .code,
        2); // another hunt
}

TEST_F(Bisect, InterruptEndsTheCommandAndTheHuntCanGoOn) {
    const std::string state = (m_dir / "state.json").string(), mark = (m_dir / "late").string();
    const std::string sh =
        file("slow.sh", "[ $DIVDET_N = 8 ] || [ -e " + state + ".go ] || { sleep 4; touch " + mark +
                            "; }\n[ $DIVDET_N -lt 3 ]\n");
    const std::string hunt = " bisect --count 8 --repeat 1 --cmd 'sh " + sh + "' --state " + state;
    const std::string command =
        "timeout --preserve-status -s INT 2 " + test::cliProgram() + hunt + " 2>" + (m_dir / "err").string();
    FILE* pipe = popen(command.c_str(), "r");
    ASSERT_NE(pipe, nullptr);
    std::array<char, 4096> buffer;
    while (fread(buffer.data(), 1, buffer.size(), pipe) > 0) {
    }
    EXPECT_EQ(WEXITSTATUS(pclose(pipe)), 2);
    std::ifstream in(m_dir / "err");
    const std::string said{std::istreambuf_iterator<char>(in), {}};
    EXPECT_NE(said.find("go on with --resume"), std::string::npos) << said;
    std::this_thread::sleep_for(std::chrono::seconds(3));
    EXPECT_FALSE(std::filesystem::exists(mark)); // the command went with it
    file("state.json.go", "");
    const auto j = divdet(hunt.substr(1) + " --resume --json -").json();
    EXPECT_EQ(j["culprits"][0]["numbers"], nlohmann::json::array({3}));
    EXPECT_EQ(j["story"][0], "going on after 1 run");
}

TEST_F(Bisect, AnUnsteadyCommandIsToldOrRefused) {
    // Fails in two of three runs while item 3 is on, by a counter in a file.
    const std::string counter = (m_dir / "counter").string();
    const std::string sh =
        file("flaky.sh", "c=$(cat " + counter + " 2>/dev/null || echo 0)\nc=$((c + 1))\necho $c > " +
                             counter + "\ncase ,$DIVDET_ENABLED, in *,item3,*) [ $((c % 3)) = 0 ];; esac\n");
    const std::string hunt = "bisect --items " + items(6) + " --cmd 'sh " + sh + "' --json - ";
    const auto j = divdet(hunt).json();
    EXPECT_EQ(j["ending"], "found");
    EXPECT_EQ(j["steady"], false);
    EXPECT_EQ(j["culprits"][0]["items"], nlohmann::json::array({"item3"}));
    EXPECT_LE(j["miss_bound"].get<double>(), 0.01);
    const auto refused = divdet(hunt + "--strict");
    EXPECT_EQ(refused.code, 3);
    EXPECT_EQ(refused.json()["ending"], "unsteady");
}

TEST_F(Bisect, RecipesAreShownAndUsed) {
    const auto list = divdet("bisect --recipe list");
    EXPECT_EQ(list.code, 0);
    for (const char* id :
         {"inductor-lowerings", "onnxruntime-optimizers", "xla-hlo-passes", "tensorrt-layer-precision"})
        EXPECT_NE(list.out.find(id), std::string::npos) << id;
    EXPECT_EQ(divdet("bisect --recipe none-such").code, 2);
    // As torch reads it: index i is applied while it is not above the limit.
    auto j = divdet("bisect --recipe inductor-lowerings --count 100 --cmd '[ \"$TORCH_BISECT_MAX\" -lt 41 ]' "
                    "--json -")
                 .json();
    EXPECT_EQ(j["culprits"][0]["items"][0], "lowering 42");
    j = divdet("bisect --recipe xla-hlo-passes --cmd 'case \"$XLA_FLAGS\" in *algsimp*) exit 0;; *) exit 1;; "
               "esac' "
               "--json -")
            .json();
    EXPECT_EQ(j["culprits"][0]["items"][0], "algsimp");
    EXPECT_EQ(divdet("bisect --recipe tensorrt-layer-precision --cmd true").code, 2); // needs --items
    EXPECT_EQ(divdet("help bisect").code, 0);
    EXPECT_EQ(divdet("help stages").code, 0);
}

TEST_F(Bisect, StagesOfABlock) {
    const auto o =
        divdet("stages attention --tokens 6 --width 24 --heads 2 --pass tf32 --pass double-scale --json -");
    EXPECT_EQ(o.code, 0) << o.err;
    const auto j = o.json();
    EXPECT_EQ(j["first"], "decompose");
    EXPECT_EQ(j["stages"].size(), 4u);
    EXPECT_EQ(j["stages"][0]["changed"], false);
    EXPECT_NE(j["meaning"].get<std::string>().find("decomposition"), std::string::npos);
    EXPECT_EQ(divdet("stages mlp --tokens 8 --width 32 --hidden 64 --pass tf32").code, 1);
    EXPECT_EQ(divdet("stages mlp --no-passes").code, 2);
    EXPECT_EQ(divdet("stages nonsense").code, 2);
}

TEST_F(Bisect, StagesOfDumps) {
    const std::string ref = npy("ref.npy", test::f32({1, 2, 3}));
    const std::string same = npy("same.npy", test::f32({1, 2, 3})),
                      off = npy("off.npy", test::f32({1, 2, 4}));
    const std::string tolerance = " --rtol 1e-3 --atol 1e-6 --json -";
    auto o = divdet("stages " + ref + " eager=" + same + " aot_eager=" + same + " inductor=" + off +
                    " cudagraphs=" + off + tolerance);
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(o.json()["first"], "inductor");
    EXPECT_NE(o.json()["meaning"].get<std::string>().find("fusion"), std::string::npos);
    o = divdet("stages " + ref + " mine=" + same + " yours=" + off + " last=" + same + tolerance);
    EXPECT_EQ(o.json()["meaning"], "the step from mine to yours changed the result");
    EXPECT_EQ(o.json()["notes"].size(), 1u); // last agrees again
    EXPECT_EQ(divdet("stages " + ref + " a=" + same + " b=" + same + tolerance).code, 1);
    EXPECT_EQ(divdet("stages " + ref + " a=" + off + " a=" + same + tolerance).code, 2);
    EXPECT_EQ(divdet("stages " + ref + " " + same + tolerance).code, 2);
    EXPECT_EQ(divdet("stages " + ref + " a=" + (m_dir / "no.npy").string() + tolerance).code, 2);
    o = divdet("stages " + ref + " a=" + (m_dir / "no.npy").string() + " b=" + off + tolerance);
    EXPECT_EQ(o.code, 3); // it may have begun at a
    EXPECT_EQ(o.json()["first"], "b");
}

} // namespace
} // namespace divdet
