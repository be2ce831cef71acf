#include <chrono>

#include "cli/cli_fixture.h"
#include "make_tensor.h"
#include "paths.h"

namespace divdet {
namespace {

/// The task metric from the command line: where logits are found, what it says, limits, and one's own
/// command.
class MetricCli : public CliFixture {
protected:
    /// Eight tokens over four words; the candidate's third token guesses another one.
    void SetUp() override {
        CliFixture::SetUp();
        std::vector<float> r, c, targets;
        for (int t = 0; t < 8; ++t)
            for (int w = 0; w < 4; ++w) r.push_back(w == t % 4 ? 4.0f : 0.1f * static_cast<float>(w));
        r[2 * 4 + 1] = 3.5f;
        c = r;
        c[2 * 4 + 1] = 4.5f;
        for (int t = 0; t < 8; ++t) targets.push_back(static_cast<float>(t % 4));
        m_logits = test::f32(r, {8, 4});
        m_changed = test::f32(c, {8, 4});
        m_targets = test::f32(targets, {8});
        m_reference = npz("r.npz", {{"logits", m_logits}, {"targets", m_targets}});
        m_candidate = npz("c.npz", {{"logits", m_changed}, {"targets", m_targets}});
    }

    std::string npz(const char* name, const std::vector<NamedTensor>& taps) {
        const auto path = m_dir / name;
        EXPECT_TRUE(writeNpz(path, taps).ok());
        return path.string();
    }

    Output compare(const std::string& options = "--json -") {
        return divdet("compare " + m_reference + " " + m_candidate + " --rtol 0 --atol 2 " + options);
    }

    Tensor m_logits, m_changed, m_targets;
    std::string m_reference, m_candidate;
};

TEST_F(MetricCli, StandsBesideTheVerdict) {
    const auto o = compare();
    EXPECT_EQ(o.code, 0) << o.err;
    const auto m = o.json()["metric"];
    EXPECT_EQ(m["logits"], "logits");
    EXPECT_EQ(m["targets"], "targets");
    EXPECT_EQ(m["tokens"], 8);
    EXPECT_EQ(m["top1_agreement"], 0.875);
    EXPECT_EQ(m["accuracy_reference"], 1.0);
    EXPECT_EQ(m["accuracy_candidate"], 0.875);
    EXPECT_EQ(m["accuracy_change"], -0.125);
    EXPECT_EQ(m["headroom"], 0.875);
    EXPECT_EQ(m["one_flip"], 0.125);
    EXPECT_EQ(m["first_flip"]["index"], nlohmann::json::array({2}));
    EXPECT_EQ(m["first_flip"]["reference"], 2);
    EXPECT_EQ(m["first_flip"]["candidate"], 1);
    EXPECT_EQ(m["ties"]["reference"], 0);
    EXPECT_GT(m["ppl_candidate"], m["ppl_reference"]);
    EXPECT_EQ(m["limits"], nlohmann::json::array());
    EXPECT_NE(m["loosest_tolerance"].get<std::string>().find("can flip any token"), std::string::npos);
    const auto text = compare("");
    EXPECT_NE(
        text.out.find("task metric of logits:\n  top-1 agrees for 7 of 8 tokens (87.5 % ± 12.5 %; one token "
                      "is worth 12.5 %); accuracy 100.0 % to 87.5 % (-12.5 ± 12.5 points)"),
        std::string::npos)
        << text.out;
    EXPECT_NE(text.out.find("greedy text parts at token [2]: 2 in the reference, 1 in the candidate"),
              std::string::npos);
}

TEST_F(MetricCli, ALimitDecidesTheExitCodeAndSaysByHowMuch) {
    EXPECT_EQ(compare("--min-top1 0.875 --max-kl 1 --min-accuracy 87.5% --max-ppl-delta 5").code, 0);
    const auto missed = compare("--min-top1 0.9 --json -");
    EXPECT_EQ(missed.code, 1);
    const auto doc = missed.json();
    EXPECT_EQ(doc["verdict"], "within"); // the tolerance's own answer stays
    EXPECT_EQ(doc["metric"]["limits"][0]["option"], "--min-top1");
    EXPECT_EQ(doc["metric"]["limits"][0]["missed"], true);
    EXPECT_NEAR(doc["metric"]["limits"][0]["missed_by"].get<double>(), 0.025, 1e-12);
    EXPECT_NE(doc["metric"]["message"].get<std::string>().find("Within the tolerance, but"),
              std::string::npos);
    for (const char* option : {"--max-kl 1e-9", "--min-accuracy 0.99", "--max-ppl-delta 1e-6"}) {
        const auto o = compare(option);
        EXPECT_EQ(o.code, 1) << option;
        EXPECT_NE(o.out.find("LIMIT MISSED"), std::string::npos) << o.out;
        EXPECT_NE(o.out.find("misses " + std::string(option).substr(0, 8)), std::string::npos) << o.out;
    }
}

TEST_F(MetricCli, FindsLogitsByTheirTargets) {
    m_reference = npz("r2.npz", {{"a_hidden", m_logits}, {"head_out", m_logits}, {"labels", m_targets}});
    m_candidate = npz("c2.npz", {{"a_hidden", m_logits}, {"head_out", m_changed}, {"labels", m_targets}});
    const auto m = compare().json()["metric"];
    EXPECT_EQ(m["logits"], "head_out");
    EXPECT_EQ(m["targets"], "labels");
    EXPECT_EQ(m["flips"], 1);
    EXPECT_EQ(compare("--logits a_hidden --json -").json()["metric"]["flips"], 0);
}

TEST_F(MetricCli, TargetsMayBeInOneFileOnly) {
    m_candidate = npz("c3.npz", {{"logits", m_changed}});
    const auto m = compare("--ignore-missing --json -").json()["metric"];
    EXPECT_EQ(m["accuracy_candidate"], 0.875);
}

TEST_F(MetricCli, TargetsThatDoNotFitAreLeftOutWithANote) {
    const Tensor soft = test::f32({0.5f, 1, 2, 3, 0, 1, 2, 3});
    m_reference = npz("r4.npz", {{"logits", m_logits}, {"labels", soft}});
    m_candidate = npz("c4.npz", {{"logits", m_changed}, {"labels", soft}});
    const auto m = compare().json()["metric"];
    EXPECT_TRUE(m["targets"].is_null());
    EXPECT_TRUE(m["accuracy_reference"].is_null());
    EXPECT_NE(m["notes"][0].get<std::string>().find("labels is not taken as targets"), std::string::npos);
    const auto asked = compare("--targets labels");
    EXPECT_EQ(asked.code, 2);
    EXPECT_NE(asked.err.find("the target of token [0] is 0.5"), std::string::npos) << asked.err;
}

TEST_F(MetricCli, ALimitWithoutLogitsSaysHowToNameThem) {
    m_reference = npz("r5.npz", {{"out", m_logits}});
    m_candidate = npz("c5.npz", {{"out", m_changed}});
    EXPECT_TRUE(compare().json()["metric"].is_null());
    const auto o = compare("--min-top1 0.9");
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("--min-top1; name the tap with --logits TAP"), std::string::npos) << o.err;
    EXPECT_EQ(compare("--min-top1 0.9 --logits out").code, 1);
    const auto targets = compare("--logits out --min-accuracy 0.5");
    EXPECT_EQ(targets.code, 2);
    EXPECT_NE(targets.err.find("--targets TAP"), std::string::npos) << targets.err;
    const auto typo = compare("--logits ou");
    EXPECT_EQ(typo.code, 2);
    EXPECT_NE(typo.err.find("did you mean 'out'?"), std::string::npos) << typo.err;
    for (const char* option : {"--min-top1 99", "--min-top1 x", "--max-kl nan", "--metric-min 3",
                               "--metric-cmd true --metric-timeout 0"})
        EXPECT_EQ(compare(option).code, 2) << option;
}

TEST_F(MetricCli, AResultFileKeepsIt) {
    const std::string saved = (m_dir / "x.divdet").string();
    const auto before = compare("--json - --save " + saved).json()["metric"];
    const auto after = divdet("compare " + saved + " --json -");
    EXPECT_EQ(after.code, 0) << after.err;
    EXPECT_EQ(after.json()["metric"], before);
    EXPECT_EQ(divdet("compare " + saved + " --min-top1 0.9").code, 1);
    EXPECT_EQ(divdet("compare " + saved + " --logits logits").code, 2);
}

TEST_F(MetricCli, ReportsShowIt) {
    const std::string base = (m_dir / "report").string();
    EXPECT_EQ(compare("--min-top1 0.9 --report " + base + ".md --report " + base + ".html --report " + base +
                      ".xml")
                  .code,
              1);
    const auto read = [&](const char* suffix) {
        std::ifstream in(base + suffix);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    EXPECT_NE(read(".md").find("### Task metric"), std::string::npos);
    EXPECT_NE(read(".md").find("| accuracy | 100.0 % | 87.5 % |"), std::string::npos) << read(".md");
    EXPECT_NE(read(".html").find("<h3>Task metric</h3>"), std::string::npos);
    EXPECT_NE(read(".xml").find("name=\"task metric --min-top1\"><failure type=\"metric\""),
              std::string::npos);
    EXPECT_NE(read(".xml").find("failures=\"1\""), std::string::npos);
}

TEST_F(MetricCli, ForNumpyTheNumbersAreTheSame) {
    const std::string source = test::sourceFolder().string();
    if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0) GTEST_SKIP() << "no numpy";
    const std::string r = (m_dir / "lm_r.npz").string(), c = (m_dir / "lm_c.npz").string(),
                      json = (m_dir / "lm.json").string();
    ASSERT_EQ(divdet("run lm --pass int8 --rtol 0.1 --atol 1 --save-reference-dump " + r + " --save-dump " +
                     c + " --json " + json)
                  .code,
              0);
    FILE* pipe = popen(
        ("/usr/bin/python3 '" + source + "/tests/golden/task_metric.py' " + r + " " + c + " " + json).c_str(),
        "r");
    double worst = 1;
    EXPECT_EQ(std::fscanf(pipe, "%lf", &worst), 1);
    EXPECT_EQ(pclose(pipe), 0);
    EXPECT_LT(worst, 1e-9);
}

/// The numbers that resources/lm/README.md and the lesson lean on.
TEST_F(MetricCli, TheLanguageModelLosesWhatItsToleranceDoesNotSee) {
    const std::string loose = " --rtol 0.1 --atol 0.6 ";
    const auto honest = divdet("run lm --pass int8 --min-accuracy 72% --json -" + loose);
    EXPECT_EQ(honest.code, 0);
    const auto h = honest.json()["metric"];
    EXPECT_EQ(h["tokens"], 2048);
    EXPECT_NEAR(h["accuracy_reference"].get<double>(), 0.7363, 1e-4);
    EXPECT_NEAR(h["accuracy_candidate"].get<double>(), 0.7344, 1e-4);
    EXPECT_TRUE(h["message"].is_null()) << h["message"];
    EXPECT_LT(h["ppl_change"].get<double>(), 0.02 * h["ppl_reference"].get<double>());
    const auto clipped = divdet("run lm --pass clip-calibration --min-accuracy 72% --json -" + loose);
    EXPECT_EQ(clipped.code, 1); // by the limit alone: the tolerance sees nothing
    EXPECT_EQ(clipped.json()["verdict"], "within");
    const auto c = clipped.json()["metric"];
    EXPECT_NEAR(c["accuracy_candidate"].get<double>(), 0.6733, 1e-4);
    EXPECT_NE(c["message"].get<std::string>().find("the tolerance does not see what the task needs"),
              std::string::npos);
    // fp32 in another order: far outside a tight tolerance, yet nothing flips.
    const auto order = divdet("run lm --pass reassociate --rtol 1e-9 --atol 1e-9 --json -");
    EXPECT_EQ(order.code, 1);
    EXPECT_EQ(order.json()["metric"]["flips"], 0);
    EXPECT_NE(
        order.json()["metric"]["message"].get<std::string>().find("Outside the tolerance, but not one of"),
        std::string::npos);
}

TEST_F(MetricCli, OnesOwnCommandIsASampleALine) {
    const auto o = compare("--metric-cmd 'printf \"0.5\\n1.5\\n\"; echo loss >&2' --metric-min 1 --json -");
    EXPECT_EQ(o.code, 0) << o.err;
    const auto c = o.json()["metric"]["command"];
    EXPECT_EQ(c["samples"], 2);
    EXPECT_EQ(c["mean"], 1.0);
    EXPECT_EQ(c["mean_error"], 0.5);
    EXPECT_EQ(compare("--metric-cmd 'echo 1' --metric-min 1.01").code, 1);
    EXPECT_EQ(compare("--metric-cmd 'echo nan' --metric-min -1e9").code, 1);
    // It knows the files; a comparison without logits has a metric then.
    m_reference = npz("r6.npz", {{"out", m_logits}});
    m_candidate = npz("c6.npz", {{"out", m_changed}});
    const auto files =
        compare("--metric-cmd 'test -s \"$DIVDET_REFERENCE\" && test -s \"$DIVDET_CANDIDATE\" && echo "
                "7' --json -");
    EXPECT_EQ(files.json()["metric"]["command"]["mean"], 7.0) << files.err;
    EXPECT_TRUE(files.json()["metric"]["top1_agreement"].is_null());
}

TEST_F(MetricCli, ACommandThatFailsIsAnErrorThatShowsWhy) {
    const auto line = compare("--metric-cmd 'echo 1; echo accuracy 0.9'");
    EXPECT_EQ(line.code, 2);
    EXPECT_NE(line.err.find("line 2 is no number: 'accuracy 0.9'"), std::string::npos) << line.err;
    const auto failing = compare("--metric-cmd 'echo 1; exit 3'");
    EXPECT_EQ(failing.code, 2);
    EXPECT_NE(failing.err.find("ended with 3"), std::string::npos) << failing.err;
    EXPECT_NE(compare("--metric-cmd 'kill -9 $$'").err.find("signal 9"), std::string::npos);
    EXPECT_NE(compare("--metric-cmd true").err.find("printed no number"), std::string::npos);
}

/// The process whose number is in the file does not run any more.
bool gone(const std::string& pidFile) {
    int child = 0;
    std::ifstream(pidFile) >> child;
    EXPECT_GT(child, 0);
    std::ifstream stat("/proc/" + std::to_string(child) + "/stat");
    std::string number, name, state;
    stat >> number >> name >> state;
    return !stat || state == "Z"; // ended, perhaps not yet collected by init
}

/// Neither a timeout, nor an end, nor Ctrl+C leaves a process behind.
TEST_F(MetricCli, ATimeoutEndsTheWholeGroup) {
    const std::string pid = (m_dir / "pid").string();
    const auto start = std::chrono::steady_clock::now();
    const auto o = compare("--metric-timeout 0.3 --metric-cmd 'sleep 60 & echo $! > " + pid + "; wait'");
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("took longer than 0.3 s"), std::string::npos) << o.err;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
    EXPECT_TRUE(gone(pid));
    const auto left = compare("--metric-cmd 'sleep 60 & echo $! > " + pid + "; echo 1'");
    EXPECT_EQ(left.code, 0) << left.err; // its output is still held open by the sleep
    EXPECT_TRUE(gone(pid));
}

TEST_F(MetricCli, CtrlCEndsTheWholeGroup) {
    const std::string pid = (m_dir / "pid").string(), err = (m_dir / "err").string();
    const std::string command = "timeout --preserve-status -s INT 1.5 " + test::cliProgram() + " compare " +
                                m_reference + " " + m_candidate + " --metric-cmd 'sleep 60 & echo $! > " +
                                pid + "; wait' >/dev/null 2>" + err;
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2);
    std::ifstream in(err);
    const std::string said(std::istreambuf_iterator<char>(in), {});
    EXPECT_NE(said.find("cancelled"), std::string::npos) << said;
    EXPECT_TRUE(gone(pid));
}

} // namespace
} // namespace divdet
