#include <fstream>

#include <gtest/gtest.h>

#include "logs/log_reader.h"
#include "scratch_folder.h"

namespace divdet {
namespace {

LogReport read(std::string_view text, LogOptions options = {}) {
    LogReader reader(options);
    reader.feed(text);
    return reader.finish();
}

std::string glog(std::string_view id, std::string_view artifact, std::string_view text, int rank = -1) {
    std::string out = rank < 0 ? "" : "[rank" + std::to_string(rank) + "]:";
    out += "V0101 10:00:00.000001 77 torch/_dynamo/x.py:1] [" + std::string(id) + "] ";
    if (!artifact.empty()) out += "[__" + std::string(artifact) + "] ";
    return out + std::string(text) + '\n';
}

std::string recompile(std::string_view id, std::string_view function, std::string_view reason,
                      int rank = -1) {
    return glog(id, "recompiles", "Recompiling function " + std::string(function) + " in /w/net.py:3", rank) +
           glog(id, "recompiles", "    triggered by the following guard failure(s):", rank) +
           glog(id, "recompiles", "    - " + std::string(reason), rank);
}

TEST(LogReader, CountsRecompilesNotLines) {
    const auto r =
        read(recompile("0/1", "f", "0/0: tensor 'x' size mismatch at index 1. expected 4, actual 5") +
             recompile("0/2", "f", "0/1: tensor 'x' size mismatch at index 1. expected 5, actual 6"));
    EXPECT_EQ(r.recompileHeaders, 2);
    EXPECT_FALSE(r.storm);
    ASSERT_EQ(r.recompiles.size(), 1u);
    const auto& cause = r.recompiles[0].causes.at(0);
    EXPECT_EQ(cause.cause, Cause::dynamicShape);
    EXPECT_EQ(cause.dim, 1);
    EXPECT_EQ(cause.values, (std::vector<std::string>{"4", "5", "6"}));
    EXPECT_EQ(cause.fixText, "mark_dynamic(x, 1), or pad to a few sizes; seen: 4, 5, 6");
}

TEST(LogReader, ThirdRecompileForOneCauseIsAStorm) {
    std::string log;
    for (int i = 1; i <= 3; ++i)
        log += recompile("0/" + std::to_string(i), "f", "0/0: L['n'] == " + std::to_string(i));
    const auto r = read(log);
    EXPECT_TRUE(r.storm);
    EXPECT_EQ(r.distinctReasons, 1);
    EXPECT_EQ(r.recompiles.at(0).causes.at(0).cause, Cause::intSpecialization);
}

TEST(LogReader, KeepsInterleavedRanksApart) {
    const std::string a =
        recompile("0/1", "f", "0/0: tensor 'x' dtype mismatch. expected Float, actual Half", 0);
    const std::string b = recompile("0/1", "g", "0/0: tensor 'y' rank mismatch. expected 2, actual 3", 1);
    std::string mixed;
    for (std::size_t i = 0, j = 0; i < a.size();) {
        const auto endA = a.find('\n', i) + 1, endB = b.find('\n', j) + 1;
        mixed += a.substr(i, endA - i) + b.substr(j, endB - j);
        i = endA, j = endB;
    }
    const auto r = read(mixed);
    EXPECT_EQ(r.ranks, (std::vector<int>{0, 1}));
    EXPECT_EQ(r.perRankGroups, 2);
    ASSERT_EQ(r.recompiles.size(), 2u);
    for (const auto& f : r.recompiles)
        EXPECT_EQ(f.causes.at(0).cause, f.name == "f" ? Cause::dtype : Cause::rank);
    LogOptions only;
    only.rank = 1;
    const auto one = read(mixed, only);
    EXPECT_EQ(one.otherRank, 3);
    EXPECT_EQ(one.recompileHeaders, 1);
}

TEST(LogReader, RestartOfACompileCountsOnce) {
    const auto breakAt = [](std::string_view id) {
        return glog(id, "graph_breaks", "Graph break in user code at /w/net.py:9") +
               glog(id, "graph_breaks", "Graph Break Reason: Unsupported: Tensor.item");
    };
    const auto r = read(breakAt("0/0") + breakAt("0/0_1") + breakAt("1/0"));
    EXPECT_EQ(r.breakOccurrences, 2);
    EXPECT_EQ(r.attempts, 3);
    ASSERT_EQ(r.breaks.size(), 1u);
    EXPECT_EQ(r.breaks[0].kind, "data-dependent");
    EXPECT_EQ(r.breaks[0].site, "/w/net.py:9");
}

TEST(LogReader, ReadsTheShortFormsOfTheLesson) {
    const auto r = read("[graph_breaks] torch._dynamo: BREAK in forward() at model.py:88\n"
                        "[recompiles] torch._dynamo: recompiling forward() (cache size 7)\n"
                        "[recompiles]   guard failed: L['x'].size()[1] == 512 (now 537)\n");
    EXPECT_EQ(r.dialect, "lesson");
    ASSERT_EQ(r.breaks.size(), 1u);
    EXPECT_EQ(r.breaks[0].site, "model.py:88");
    ASSERT_EQ(r.recompiles.size(), 1u);
    EXPECT_EQ(r.recompiles[0].causes.at(0).dim, 1);
    EXPECT_EQ(r.recompiles[0].causes.at(0).values, (std::vector<std::string>{"512", "537"}));
}

TEST(LogReader, EveryLineIsAccountedFor) {
    const auto r = read("\x1b[31mhello\x1b[0m\r\n\n" + glog("0/0", "", "something of torch") +
                        std::string("\xff\xfe\0binary\n", 10) + "no line feed at the end");
    EXPECT_EQ(r.lines, 5);
    EXPECT_EQ(r.unparsedLines, 3);
    EXPECT_EQ(r.recordLines + r.unparsedLines + r.otherRank, r.lines);
    EXPECT_EQ(r.unparsedSamples.at(0), "1: hello");
}

TEST(LogReader, PortionsDoNotMatter) {
    const std::string log = recompile("0/1", "f", "0/0: ___check_obj_id(L['m'], 140001)") + "step\n";
    LogReader reader;
    for (const char c : log) reader.feed(std::string_view(&c, 1));
    const auto r = reader.finish();
    EXPECT_EQ(r.recompileHeaders, 1);
    EXPECT_EQ(r.unparsedLines, 1);
    EXPECT_EQ(r.recompiles.at(0).objects, 2);
}

std::string at(std::string_view time, std::string_view id, std::string_view text) {
    return "V" + std::string(time) + " 77 torch/_dynamo/x.py:1] [" + std::string(id) + "] [__recompiles] " +
           std::string(text) + '\n';
}

TEST(LogReader, PutsEventsOnATimeAxis) {
    const auto r = read(at("0228 23:59:59.500000", "0/1", "Recompiling function f in /w/net.py:3") +
                        at("0301 00:00:01.750000", "0/2", "Recompiling function f in /w/net.py:3"));
    ASSERT_EQ(r.timeline.size(), 2u);
    EXPECT_EQ(r.timeline[0].at, 0);
    EXPECT_NEAR(r.timeline[1].at, 2.25, 1e-6);
    const auto leap = read(at("0228 12:00:00.000000", "0/1", "Recompiling function f in /w/net.py:3") +
                           at("0229 12:00:00.000000", "0/2", "Recompiling function f in /w/net.py:3") +
                           at("0301 12:00:00.000000", "0/3", "Recompiling function f in /w/net.py:3"));
    ASSERT_EQ(leap.timeline.size(), 3u);
    EXPECT_NEAR(leap.timeline[1].at, 86400, 1e-6);
    EXPECT_NEAR(leap.timeline[2].at, 2 * 86400, 1e-6);
    EXPECT_EQ(r.timeline[1].kind, LogEvent::Kind::recompile);
    EXPECT_EQ(r.timeline[1].id, "0/2");
    EXPECT_EQ(r.timeline[1].function, "f");
    EXPECT_FALSE(r.timeline[1].lost);
    const auto old =
        read("[2023-11-15 16:13:26,741] [0/1] torch._dynamo.guards.__recompiles: [DEBUG] Recompiling "
             "function f in a.py:3\n[2023-11-15 16:13:27,991] [0/2] torch._dynamo.guards.__recompiles: "
             "[DEBUG] Recompiling function f in a.py:3\n");
    ASSERT_EQ(old.timeline.size(), 2u);
    EXPECT_NEAR(old.timeline[1].at, 1.25, 1e-6);
    EXPECT_TRUE(read("Recompiling function f in /w/net.py:3\n").timeline.empty());
}

TEST(LogReader, CountsTheTimeThatATraceSaysWasLost) {
    const auto metrics = [](std::string_view time, int compile, std::string_view seconds) {
        return "V" + std::string(time) +
               " 7 torch/_dynamo/utils.py:1] {\"compilation_metrics\": {\"co_name\": \"f\", \"co_filename\": "
               "\"/w/net.py\", \"co_firstlineno\": 3, \"guard_count\": 5, \"entire_frame_compile_time_s\": " +
               std::string(seconds) + ", \"dynamo_config\": \"" + std::string(3000, ' ') +
               "{\\\"accumulated_recompile_limit\\\": 256, \\\"recompile_limit\\\": 4}\"}, \"frame_id\": 0, "
               "\"frame_compile_id\": " +
               std::to_string(compile) + ", \"attempt\": 0}\n";
    };
    const auto r =
        read(metrics("0101 10:00:01.000000", 0, "0.75") + metrics("0101 10:00:03.000000", 1, "0.5") +
             metrics("0101 10:00:04.000000", 2, "null"));
    EXPECT_EQ(r.compiles, 2);
    EXPECT_NEAR(r.compileSeconds, 1.25, 1e-9);
    ASSERT_EQ(r.timeline.size(), 2u);
    EXPECT_NEAR(r.timeline[1].at, 2.25, 1e-6);
    EXPECT_NEAR(r.timeline[1].lost.value(), 0.5, 1e-9);
    EXPECT_EQ(r.limit, 4);
    ASSERT_EQ(r.graphs.size(), 3u);
    EXPECT_EQ(r.graphs[0].guards, 5);
    EXPECT_EQ(r.recordLines, 3);
}

TEST(LogReader, AShortenedBreakWithoutAReasonIsOneMoreOfItsPlace) {
    const auto r =
        read(glog("0/0", "graph_breaks", "Graph break: from user code at:") +
             glog("0/0", "graph_breaks", "  File \"/w/net.py\", line 9, in f") +
             glog("0/0", "graph_breaks", "    x.item()") +
             glog("0/0", "graph_breaks", "Traceback (most recent call last):") +
             glog("0/0", "graph_breaks", "torch._dynamo.exc.Unsupported: Tensor.item") +
             glog("1/0", "graph_breaks", "Graph break (details suppressed) in user code at /w/net.py:9") +
             glog("2/0", "graph_breaks", "Graph break (details suppressed) in user code at /w/net.py:9"));
    ASSERT_EQ(r.breaks.size(), 1u);
    EXPECT_EQ(r.breaks[0].count, 3);
    EXPECT_EQ(r.breaks[0].suppressed, 2);
    EXPECT_FALSE(r.incomplete);
    EXPECT_EQ(r.breaks[0].reason, "Tensor.item");
    EXPECT_EQ(r.breaks[0].kind, "data-dependent");
}

TEST(LogReader, CountsGuardsOfATreeAndOfAList) {
    std::string tree;
    for (const char* line :
         {"GUARDS:", "", "TREE_GUARD_MANAGER:", "+- RootGuardManager",
          "| +- DEFAULT_DEVICE: CURRENT_DEVICE == None",
          "| +- GuardManager: source=L['x'], accessed_by=DictGetItemGuardAccessor('x')",
          "| | +- TENSOR_MATCH: check_tensor(L['x'], Tensor)", "", "Guard latency = 27.39 us"})
        tree += glog("0/1", "guards", line);
    const auto r =
        read(tree + recompile("0/1", "f", "0/0: tensor 'x' size mismatch at index 1. expected 4, actual 5"));
    EXPECT_EQ(r.guards, 2);
    ASSERT_EQ(r.graphs.size(), 1u);
    EXPECT_EQ(r.graphs[0].id, "0/1");
    EXPECT_EQ(r.graphs[0].guards, 2);
    EXPECT_EQ(r.graphs[0].function, "f");
    EXPECT_EQ(r.graphs[0].thrashing, "x.size()[1]");
    const auto flat =
        read(glog("0/0", "guards", "GUARDS:") + glog("0/0", "guards", "hasattr(L['x'], 'a') == False") +
             glog("0/0", "guards", "___check_type_id(L['x'], 7)"));
    EXPECT_EQ(flat.guards, 2);
}

TEST(LogReader, CountsCudaGraphsThatWereSkippedOrRecordedAgain) {
    const auto r =
        read("skipping cudagraphs due to mutated inputs (1 instances). Found from : \n"
             "   File \"/w/net.py\", line 3, in f\n"
             "skipping cudagraphs due to mutated inputs (2 instances). Found from : \n" +
             glog("0/0", "cudagraphs", "Re-recording function=f, reason=static input data pointer changed"));
    ASSERT_EQ(r.replays.size(), 2u);
    EXPECT_EQ(r.replays[0].count + r.replays[1].count, 3);
    const auto& skipped = r.replays[0].skipped ? r.replays[0] : r.replays[1];
    EXPECT_EQ(skipped.count, 2);
    EXPECT_EQ(skipped.reason, "mutated inputs (1 instances)");
    EXPECT_EQ(r.unparsedLines, 0);
}

TEST(LogReader, ReadsRecordsWhosePrefixStandsOnlyOnTheFirstLine) {
    const auto r =
        read("DEBUG:torch._dynamo.guards.__recompiles:Recompiling function f in /w/net.py:3\n"
             "    triggered by the following guard failure(s):\n"
             "    - 0/0: L['n'] == 3\n"
             "epoch 1\n"
             "DEBUG:torch._dynamo.symbolic_convert.__graph_breaks:Graph break in user code at /w/net.py:9\n"
             "Graph Break Reason: Encountered graph break when attempting to trace CALL: a function call:\n"
             "\n"
             "Call to `torch._dynamo.graph_break()`\n"
             "  Explanation: User-inserted graph break. Message: None\n");
    EXPECT_EQ(r.dialect, "basic");
    ASSERT_EQ(r.recompiles.size(), 1u);
    EXPECT_EQ(r.recompiles[0].causes.at(0).cause, Cause::intSpecialization);
    ASSERT_EQ(r.breaks.size(), 1u);
    EXPECT_EQ(r.breaks[0].reason, "Call to `torch._dynamo.graph_break()`");
    EXPECT_EQ(r.breaks[0].fixes, std::vector<std::string_view>{"remove-graph-break"});
    EXPECT_EQ(r.unparsedLines, 1);
}

TEST(LogReader, ReadsTheWarningsOfTorch20) {
    const auto r = read(
        "[2023-03-20 10:00:00,000] torch._dynamo.symbolic_convert: [WARNING] Graph break: call_function "
        "BuiltinVariable(print) [ConstantVariable(str)] {} from user code at   File \"/w/a.py\", line 5, "
        "in f\n    print(\"hi\")\n \n"
        "[2023-03-20 10:00:01,000] torch._dynamo.symbolic_convert: [WARNING] Graph break: Tensor.item from "
        "user code at   File \"/w/a.py\", line 15, in g\n    y = helper(x)\n  File \"/w/b.py\", line 7, in "
        "helper\n    return x.item()\n\n"
        "[2023-03-20 10:00:02,000] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit "
        "config.cache_size_limit (64)\n   function: 'f' (/w/a.py:3)\n   reasons:  [\"tensor 'x' strides "
        "mismatch at index 1. expected 4, actual 1\", \"tensor 'y' size mismatch at index 0. expected 1, "
        "actual 2\", 'n == 3']\nto diagnose recompilation issues, see https://pytorch.org\n");
    EXPECT_EQ(r.dialect, "2.0");
    EXPECT_EQ(r.unparsedLines, 0);
    ASSERT_EQ(r.breaks.size(), 2u);
    const auto& print = r.breaks[0].kind == "print" ? r.breaks[0] : r.breaks[1];
    const auto& item = r.breaks[0].kind == "print" ? r.breaks[1] : r.breaks[0];
    EXPECT_EQ(print.site, "/w/a.py:5");
    EXPECT_EQ(print.function, "f");
    EXPECT_EQ(print.code, "print(\"hi\")");
    EXPECT_EQ(item.site, "/w/b.py:7");
    ASSERT_EQ(r.recompiles.size(), 1u);
    EXPECT_TRUE(r.recompiles[0].limitHit);
    ASSERT_EQ(r.recompiles[0].causes.size(), 3u);
    for (const auto& c : r.recompiles[0].causes)
        EXPECT_EQ(c.source, c.cause == Cause::dynamicShape ? "y" : c.cause == Cause::stride ? "x" : "n");
}

TEST(LogReader, ReadsTheTracebacksOfTorch23To25) {
    std::string log;
    for (const char* line :
         {"Graph break: from user code at:", "  File \"/w/a.py\", line 5, in f", "    print(x)",
          "Traceback (most recent call last):",
          "  File \"/usr/lib/python3/site-packages/torch/_dynamo/symbolic_convert.py\", line 469, in w",
          "    return inner_fn(self, inst)",
          "torch._dynamo.exc.Unsupported: builtin: print [<class 'x.TensorVariable'>] False", "",
          "from user code:", "   File \"/w/a.py\", line 5, in f", "    print(x)"})
        log += glog("0/0", "graph_breaks", line);
    log += glog("2/0", "graph_breaks", "Graph break: skip: from user code at:") +
           glog("2/0", "graph_breaks", "  File \"/w/a.py\", line 9, in f");
    const auto r = read(log);
    ASSERT_EQ(r.breaks.size(), 1u);
    EXPECT_EQ(r.breaks[0].site, "/w/a.py:5");
    EXPECT_EQ(r.breaks[0].kind, "print");
    EXPECT_EQ(r.breaks[0].code, "print(x)");
    EXPECT_FALSE(r.breaks[0].inFramework);
    EXPECT_EQ(r.notes, std::vector<std::string>{"frames-skipped"});
}

TEST(LogReader, AProgramsOwnListIsNoReason) {
    const std::string head =
        "Recompiling function f in /w/net.py:3\n    triggered by the following guard failure(s):\n"
        "    - 0/1: L['mode'] == 'relu'\n";
    const auto r = read(head + "- loss: 0.3\n- accuracy\n");
    EXPECT_EQ(r.guardFailureLines, 1);
    EXPECT_EQ(r.unparsedLines, 2);
    ASSERT_EQ(r.recompiles.size(), 1u);
    EXPECT_EQ(r.recompiles[0].causes.size(), 1u);
}

TEST(ReadLogs, RefusesWhatIsNoLog) {
    const auto r = readLogs({"/no/such/log.txt"}, {});
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().code, ErrorCode::notFound);
    const auto device = readLogs({"/dev/zero"}, {});
    ASSERT_FALSE(device.ok());
    EXPECT_EQ(device.error().code, ErrorCode::refused);
}

/// An interrupted read looks like the end of the input: only the token says that it is none.
TEST(ReadLogs, WhatIsStoppedInItsLastReadIsNoFinishedLog) {
    test::ScratchFolder folder;
    const auto file = folder.path() / "a.log";
    std::ofstream(file) << "trained\n";
    Progress progress;
    progress.report = [&](std::uint64_t, std::uint64_t, std::string_view) { progress.token.cancel(); };
    const auto r = readLogs({file}, {}, progress);
    ASSERT_FALSE(r.ok());
    EXPECT_EQ(r.error().code, ErrorCode::cancelled);
    EXPECT_EQ(r.error().path, file.string());
    EXPECT_TRUE(readLogs({file}, {}).ok());
}

} // namespace
} // namespace divdet
