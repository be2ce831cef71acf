// `divdet logs`: exit codes, the document's keys, before and after, reports, and the two dashes.
#include <algorithm>
#include <cstdlib>

#include "cli_fixture.h"

namespace divdet {
namespace {

class LogsCli : public CliFixture {
protected:
    std::string file(const std::string& name, const std::string& text) {
        std::ofstream(m_dir / name, std::ios::binary) << text;
        return (m_dir / name).string();
    }
    static std::string recompile(int from, int to) {
        const std::string v = "V0101 10:00:00.000001 77 torch/_dynamo/guards.py:1] [0/1] [__recompiles] ";
        return v + "Recompiling function <b>f in /w/net.py:3\n" + v +
               "    triggered by the following guard failure(s):\n" + v +
               "    - 0/0: tensor 'x' size mismatch at index 1. expected " + std::to_string(from) +
               ", actual " + std::to_string(to) + '\n';
    }
    std::string text(const std::string& name) {
        std::ifstream in(m_dir / name);
        return {std::istreambuf_iterator<char>(in), {}};
    }
};

TEST_F(LogsCli, AStormIsOneAndAQuietLogIsZero) {
    const auto storm =
        divdet("logs " + file("s.log", recompile(4, 5) + recompile(5, 6) + recompile(6, 7)) + " --json -");
    EXPECT_EQ(storm.code, 1);
    const auto j = storm.json();
    EXPECT_EQ(j["verdict"], "storm");
    EXPECT_EQ(j["command"], "logs");
    EXPECT_EQ(j["recompile_headers"], 3);
    const auto& cause = j["recompiles"][0]["causes"][0];
    EXPECT_EQ(cause["class"], "dynamic-shape");
    EXPECT_EQ(cause["source"], "x");
    EXPECT_EQ(cause["dim"], 1);
    EXPECT_EQ(cause["values"], nlohmann::json::parse("[4,5,6,7]"));
    EXPECT_EQ(cause["fix_text"], "mark_dynamic(x, 1), or pad to a few sizes; seen: 4, 5, 6, 7");
    EXPECT_TRUE(j["changes"].is_null());
    EXPECT_TRUE(j["compile_seconds"].is_null());
    EXPECT_EQ(j["timeline"].size(), 3u);
    const auto quiet = divdet("logs " + file("q.log", recompile(4, 5)));
    EXPECT_EQ(quiet.code, 0);
    EXPECT_NE(quiet.out.find("fix: mark_dynamic(x, 1)"), std::string::npos);
    EXPECT_EQ(divdet("logs " + (m_dir / "none.log").string()).code, 2);
}

TEST_F(LogsCli, SaysWhatAFixCured) {
    const std::string before = file("b.log", recompile(4, 5) + recompile(5, 6) + recompile(6, 7));
    const std::string after = file("a.log", "trained\n");
    const auto json = divdet("logs --before " + before + " " + after + " --json -");
    EXPECT_EQ(json.code, 0);
    const auto changes = json.json()["changes"];
    EXPECT_EQ(changes["before"]["verdict"], "storm");
    ASSERT_EQ(changes["gone"].size(), 1u);
    EXPECT_EQ(changes["gone"][0]["before"], 3);
    EXPECT_EQ(changes["gone"][0]["after"], 0);
    EXPECT_TRUE(changes["new"].empty());
    const auto words = divdet("logs --before " + before + " " + after);
    EXPECT_NE(words.out.find("Since before: 1 gone, 0 new, 0 still there"), std::string::npos) << words.out;
    EXPECT_NE(words.out.find("3 -> 0"), std::string::npos);
}

TEST_F(LogsCli, WritesReportsWithoutTheLogsMarkup) {
    const std::string log = file("s.log", recompile(4, 5));
    const auto o = divdet("logs " + log + " --markdown " + (m_dir / "r.md").string() + " --html " +
                          (m_dir / "r.html").string());
    EXPECT_EQ(o.code, 0);
    EXPECT_NE(text("r.md").find("## Recompiles"), std::string::npos);
    EXPECT_NE(text("r.html").find("&lt;b&gt;f"), std::string::npos);
    EXPECT_EQ(text("r.html").find("<b>f"), std::string::npos);
    const auto dash = divdet("logs " + log + " --html -");
    EXPECT_EQ(dash.out, text("r.html"));
}

TEST_F(LogsCli, ShowsWhatGraphsAreGuardedOn) {
    const std::string v = "V0101 10:00:00.000001 77 torch/_dynamo/guards.py:1] [0/0] [__guards] ";
    const std::string log =
        file("g.log", v + "GUARDS:\n" + v + "TREE_GUARD_MANAGER:\n" + v + "+- RootGuardManager\n" + v +
                          "| +- TENSOR_MATCH: check_tensor(L['x'], Tensor)  # y = x + 1  # net.py:4 in f\n" +
                          v + "| +- EQUALS_MATCH: L['\x1b[31mn'] == 3\n" + recompile(4, 5));
    const auto plain = divdet("logs " + log);
    EXPECT_NE(plain.out.find("1 graph, 2 guards; --guards lists them"), std::string::npos) << plain.out;
    EXPECT_FALSE(divdet("logs --json - " + log).json()["graphs"][0].contains("tree"));
    const auto tree = divdet("logs --guards --json - " + log).json()["graphs"][0]["tree"];
    EXPECT_EQ(tree["hits"], 3);
    EXPECT_EQ(tree["guards"][1]["failures"], 1);
    EXPECT_EQ(tree["guards"][1]["depth"], 1);
    EXPECT_EQ(tree["guards"][1]["code"], "y = x + 1");
    EXPECT_EQ(tree["guards"][1]["place"], "net.py:4 in f");
    EXPECT_EQ(tree["guards"][1]["fix_texts"][0], "mark_dynamic(x, 1), or pad to a few sizes; seen: 4, 5");
    EXPECT_EQ(divdet("logs --find equals --json - " + log).json()["graphs"][0]["tree"]["hits"], 1);
    const auto failing = divdet("logs --failing " + log);
    EXPECT_NE(failing.out.find("1 x    TENSOR_MATCH  check_tensor(L['x'], Tensor)"), std::string::npos)
        << failing.out;
    EXPECT_EQ(failing.out.find("EQUALS_MATCH"), std::string::npos);
    EXPECT_NE(divdet("logs --find nowhere " + log).out.find("none of 3 lines has nowhere"),
              std::string::npos);
    EXPECT_NE(
        divdet("logs --guards " + file("n.log", recompile(4, 5))).out.find("TORCH_LOGS=recompiles,guards"),
        std::string::npos);
    const auto report = divdet("logs --markdown - " + log);
    EXPECT_NE(report.out.find("## Guards that failed"), std::string::npos) << report.out;
    EXPECT_NE(report.out.find("check"), std::string::npos);
}

TEST_F(LogsCli, OneThingGoesThroughADash) {
    const std::string log = file("s.log", recompile(4, 5));
    EXPECT_EQ(divdet("logs " + log + " --json - --html -").code, 2);
    EXPECT_EQ(divdet("logs --before - - </dev/null").code, 2);
    const auto in = divdet("logs - --json - <" + log);
    EXPECT_EQ(in.json()["recompile_headers"], 1);
}

/// The signal is sent until the program ends: one that comes just before the read would be lost.
TEST_F(LogsCli, AnInterruptedPipeIsNoCleanLog) {
    for (const char* signal : {"INT", "TERM"}) {
        const std::string program = test::cliProgram(), at = m_dir.string();
        std::ofstream(m_dir / "stop.sh")
            << "cd '" << at << "'; rm -f pipe; mkfifo pipe; sleep 60 >pipe & writer=$!\n"
            << "'" << program
            << "' logs - <pipe >out.txt 2>err.txt & reader=$!\n"
            // Bit 14 of the caught signals: from then on SIGTERM, and SIGINT before it, cancel.
            << "for i in $(seq 200); do caught=$(sed -n 's/^SigCgt:.*\\(....\\)$/\\1/p' "
               "/proc/$reader/status)\n"
            << "[ $((0x${caught:-0} & 0x4000)) -ne 0 ] && break; sleep 0.05; done\n"
            << "for i in $(seq 20); do grep -q '^State:.*Z' /proc/$reader/status && break; kill -" << signal
            << " $reader 2>/dev/null || break; sleep 0.3; done\n"
            << "wait $reader; code=$?; kill $writer; exit $code\n";
        const int status = std::system(("sh '" + at + "/stop.sh'").c_str());
        EXPECT_EQ(WEXITSTATUS(status), 2) << signal;
        EXPECT_EQ(text("out.txt"), "") << signal;
        EXPECT_NE(text("err.txt").find("stopped"), std::string::npos) << signal << text("err.txt");
    }
}

TEST_F(LogsCli, ALogWithoutAnythingOfTorchIsCleanWithAHint) {
    for (const std::string text : {"", "trained\n"}) {
        const auto o = divdet("logs --json - " + file("none.log", text));
        EXPECT_EQ(o.code, 0);
        EXPECT_EQ(o.json()["verdict"], "clean");
        EXPECT_EQ(o.json()["notes"], nlohmann::json::parse(R"(["nothing-recognised"])"));
        EXPECT_NE(o.err.find("TORCH_LOGS="), std::string::npos) << o.err;
    }
    EXPECT_EQ(divdet("logs " + file("some.log", recompile(4, 5))).err.find("TORCH_LOGS"), std::string::npos);
}

TEST_F(LogsCli, WhatARankMayBeIsSaidShortly) {
    const auto o = divdet("logs --rank -1 " + file("s.log", recompile(4, 5)));
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("--rank"), std::string::npos) << o.err;
    EXPECT_LT(o.err.size(), 200u) << o.err;
}

TEST_F(LogsCli, RunsThatDifferAreOneAndThoseThatDoNotAreZero) {
    const std::vector<float> a{1, 2}, b{1, 3};
    const auto one = npy("1.npy", tensorOf<float>(DType::f32, {2}, a)),
               two = npy("2.npy", tensorOf<float>(DType::f32, {2}, b));
    EXPECT_EQ(divdet("determinism " + one + " " + one).code, 0);
    const auto o = divdet("determinism " + one + " " + one + " " + two + " --json -");
    EXPECT_EQ(o.code, 1);
    EXPECT_EQ(o.json()["verdict"], "varies");
    EXPECT_EQ(o.json()["taps"][0]["varying"], 1);
    EXPECT_EQ(o.json()["taps"][0]["first"], nlohmann::json::parse("[1]"));
    EXPECT_EQ(divdet("determinism " + one).code, 2);
    const std::string json = file("x.json", "{}");
    const auto no = divdet("determinism " + json + " " + json);
    EXPECT_EQ(no.code, 2);
    EXPECT_NE(no.err.find("numpy.save"), std::string::npos) << no.err;
}

} // namespace
} // namespace divdet
