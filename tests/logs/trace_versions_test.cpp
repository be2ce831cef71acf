// Structured traces of versions that say less than the newest: what is read from them all the same.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "logs/log_reader.h"

namespace divdet {
namespace {

/// A trace file, written record by record.
class Trace {
public:
    void envelope(const std::string& json, const std::vector<std::string>& payload = {}) {
        m_text += "V0203 10:11:12.345000 4242 torch/_dynamo/x.py:77] " + json + '\n';
        for (const auto& line : payload) m_text += '\t' + line + '\n';
    }
    void start(int frame, int compile, const std::string& stack) {
        envelope("{\"dynamo_start\": {\"stack\": [" + stack + "]}" + ids(frame, compile) + "}");
    }
    void metrics(int frame, int compile, const std::string& function, int line) {
        envelope("{\"compilation_metrics\": {\"co_name\": \"" + function +
                 "\", \"co_filename\": \"/w/train.py\", \"co_firstlineno\": " + std::to_string(line) +
                 ", \"guard_count\": 4, \"entire_frame_compile_time_s\": 0.5}" + ids(frame, compile) + "}");
    }
    void artifact(int frame, int compile, const std::string& name, const std::vector<std::string>& payload) {
        envelope("{\"artifact\": {\"name\": \"" + name + "\", \"encoding\": \"json\"}" + ids(frame, compile) +
                     ", \"has_payload\": \"00\"}",
                 payload);
    }
    LogReport read() const {
        LogReader reader(LogOptions{});
        reader.feed(m_text);
        return reader.finish();
    }

    static std::string frame(const char* function, int line, const char* file = "/w/train.py") {
        return std::string("{\"line\": ") + std::to_string(line) + ", \"name\": \"" + function +
               "\", \"filename\": \"" + file + "\"}";
    }
    /// As torch up to 2.4 ends its stacks: above the function that is compiled.
    static std::string callers() {
        return frame("<module>", 90) + ", " + frame("_fn", 451, "/lib/torch/_dynamo/eval_frame.py");
    }

private:
    static std::string ids(int frame, int compile) {
        return ", \"frame_id\": " + std::to_string(frame) +
               ", \"frame_compile_id\": " + std::to_string(compile) + ", \"attempt\": 0";
    }
    std::string m_text;
};

/// 2.4: metrics, but neither reasons nor breaks.
TEST(TraceVersions, RecompilesAreCountedWithoutReasons) {
    Trace t;
    for (int i = 0; i < 4; ++i) t.start(0, i, Trace::callers()), t.metrics(0, i, "pad", 5);
    t.start(1, 0, Trace::callers() + ", " + Trace::frame("pad", 5));
    t.metrics(1, 0, "once", 9);
    const LogReport r = t.read();
    EXPECT_EQ(r.dialect, "trace");
    EXPECT_EQ(r.recompileHeaders, 3);
    EXPECT_FALSE(r.incomplete);
    EXPECT_TRUE(r.storm);
    EXPECT_EQ(r.compiles, 5);
    ASSERT_EQ(r.recompiles.size(), 1u);
    EXPECT_EQ(r.recompiles[0].name, "pad");
    EXPECT_EQ(r.recompiles[0].site, "/w/train.py:5");
    EXPECT_EQ(r.recompiles[0].count, 3);
    ASSERT_EQ(r.recompiles[0].causes.size(), 1u);
    EXPECT_EQ(r.recompiles[0].causes[0].cause, Cause::unknown);
    EXPECT_EQ(
        r.recompiles[0].causes[0].fixText,
        "run once with TORCH_LOGS=recompiles_verbose: the trace of this version of torch tells no reason");
    EXPECT_FALSE(r.recompiles[0].limitHit);
}

/// 2.3 names no function anywhere; the callers at the end of its stacks are none.
TEST(TraceVersions, CallerIsNotTakenForTheFunction) {
    Trace t;
    for (int i = 0; i < 2; ++i) t.start(0, i, Trace::callers());
    for (int i = 0; i < 2; ++i) t.start(1, i, Trace::callers() + ", " + Trace::frame("pad", 5));
    const LogReport r = t.read();
    EXPECT_EQ(r.recompileHeaders, 2);
    ASSERT_EQ(r.recompiles.size(), 2u);
    for (const auto& f : r.recompiles) EXPECT_TRUE(f.name == "frame 0" || f.name == "frame 1") << f.name;
}

/// Where the reasons of some recompiles are told, a compile without any is one of another object.
TEST(TraceVersions, ReasonsThatAreToldAreAll) {
    Trace t;
    t.start(0, 0, Trace::frame("pad", 5));
    t.artifact(0, 1, "recompile_reasons", {"\"0/0: tensor 'x' rank mismatch. expected 1, actual 2\""});
    t.start(0, 1, Trace::frame("pad", 5));
    t.start(0, 2, Trace::frame("pad", 5));
    const LogReport r = t.read();
    EXPECT_EQ(r.recompileHeaders, 1);
    ASSERT_EQ(r.recompiles.size(), 1u);
    EXPECT_EQ(r.recompiles[0].causes.at(0).cause, Cause::rank);
}

/// Up to 2.5 a break shows only in the function that resumes behind it.
TEST(TraceVersions, ResumingFunctionTellsOfItsBreak) {
    Trace t;
    for (int i = 0; i < 2; ++i) {
        t.start(0, i, Trace::frame("norm", 28));
        t.start(1, i, Trace::frame("torch_dynamo_resume_in_norm_at_30", 30));
        t.metrics(1, i, "torch_dynamo_resume_in_norm_at_30", 30);
    }
    const LogReport r = t.read();
    EXPECT_EQ(r.breakOccurrences, 2);
    ASSERT_EQ(r.breaks.size(), 1u);
    EXPECT_EQ(r.breaks[0].site, "/w/train.py:30");
    EXPECT_EQ(r.breaks[0].function, "norm");
    EXPECT_EQ(r.breaks[0].count, 2);
    EXPECT_EQ(r.breaks[0].kind, "other");

    t.artifact(0, 0, "dynamo_graph_break_reason",
               {"Graph break in user code at /w/train.py:30", "Reason: Unsupported: Tensor.item",
                "User code traceback:", "  File \"/w/train.py\", line 30, in norm"});
    const LogReport told = t.read();
    EXPECT_EQ(told.breakOccurrences, 1);
    ASSERT_EQ(told.breaks.size(), 1u);
    EXPECT_EQ(told.breaks[0].kind, "data-dependent");
}

/// 2.5 writes no configuration: the attempt that was refused has reasons and never starts.
TEST(TraceVersions, RefusedAttemptIsTheLimit) {
    Trace t;
    t.start(0, 0, Trace::frame("pad", 5));
    for (int i = 1; i <= 3; ++i) {
        std::vector<std::string> reasons{"["};
        for (int j = 0; j < i; ++j)
            reasons.push_back(
                "\"0/" + std::to_string(j) + ": tensor 'L['x']' size mismatch at index 0. expected " +
                std::to_string(j + 3) + ", actual " + std::to_string(i + 3) + "\"" + (j + 1 < i ? "," : ""));
        reasons.emplace_back("]");
        t.artifact(0, i, "recompile_reasons", reasons);
        if (i < 3) t.start(0, i, Trace::frame("pad", 5));
    }
    const LogReport r = t.read();
    EXPECT_EQ(r.recompileHeaders, 3);
    EXPECT_TRUE(r.limitHit);
    EXPECT_FALSE(r.incomplete);
    ASSERT_EQ(r.recompiles.size(), 1u);
    EXPECT_TRUE(r.recompiles[0].limitHit);
    EXPECT_EQ(r.recompiles[0].count, 3);
    ASSERT_EQ(r.recompiles[0].causes.size(), 1u);
    EXPECT_EQ(r.recompiles[0].causes[0].count, 3);
    EXPECT_EQ(r.recompiles[0].causes[0].dim, 0);
}

TEST(TraceVersions, LinesOfOtherRanksAreCountedOnce) {
    const std::string text =
        "V0203 10:11:12.345000 4242 x.py:77] {\"artifact\": {\"name\": \"recompile_reasons\"}, "
        "\"rank\": 1, \"frame_id\": 0, \"frame_compile_id\": 1, \"has_payload\": \"0\"}\n"
        "\t[\n\t\"L['n'] == 3\"]\nV0203 10:11:12.345000 4242 x.py:77] {\"rank\": 1}\n";
    LogOptions only;
    only.rank = 0;
    LogReader reader(only);
    reader.feed(text);
    const auto r = reader.finish();
    EXPECT_EQ(r.lines, 4);
    EXPECT_EQ(r.otherRank, 4);
    EXPECT_EQ(r.recordLines, 0);
}

/// 2.3 and 2.4 list guards as JSON with stacks; later versions write the tree as well, which then stands.
TEST(TraceVersions, GuardsAreReadFromTheListAndFromTheTree) {
    const auto envelope = [](const char* what) {
        return std::string("{\"") + what +
               "\": {}, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0, \"has_payload\": \"00\"}";
    };
    Trace t;
    t.envelope("{\"str\": [\"/w/train.py\", 7]}");
    t.envelope(envelope("dynamo_guards"),
               {"[", "{", "\"code\": \"L['n'] == 3\",", "\"stack\": null,",
                "\"user_stack\": [{\"line\": 1, \"name\": \"<module>\", \"filename\": 7}, {\"line\": 6, "
                "\"name\": \"pad\", \"filename\": 7}]",
                "},",
                "{\"code\": \"f(\\n)\", \"stack\": [{\"line\": 9, \"name\": \"g\", \"filename\": \"o.py\"}],",
                "\"user_stack\": null}, 5, {\"stack\": 5}", "]"});
    const auto listed = t.read();
    ASSERT_EQ(listed.graphs.size(), 1u);
    ASSERT_EQ(listed.graphs[0].tree.guards.size(), 2u);
    EXPECT_EQ(listed.graphs[0].tree.guards[0].text, "L['n'] == 3");
    EXPECT_EQ(listed.graphs[0].tree.guards[0].place, "/w/train.py:6 in pad");
    EXPECT_EQ(listed.graphs[0].tree.guards[1].text, "f( )");
    EXPECT_EQ(listed.graphs[0].tree.guards[1].place, "o.py:9 in g");
    t.envelope(envelope("dynamo_cpp_guards_str"),
               {"", "TREE_GUARD_MANAGER:", "+- RootGuardManager", "| +- EQUALS_MATCH: L['n'] == 3"});
    const auto tree = t.read();
    ASSERT_EQ(tree.graphs[0].tree.guards.size(), 2u);
    EXPECT_EQ(tree.graphs[0].tree.guards[1].kind, "EQUALS_MATCH");
    Trace broken;
    broken.envelope(envelope("dynamo_guards"), {"[{\"code\": "});
    EXPECT_EQ(broken.read().graphs.size(), 1u);
}

} // namespace
} // namespace divdet
