// Records that only some versions of torch print, or only in some formats.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "logs/log_reader.h"

namespace divdet {
namespace {

/// A frame that torch gives up whole is told under the same artifact and is no break of a graph. First up to
/// 2.9, then from 2.10 on.
TEST(TorchWords, SkippedFrameIsNoBreak) {
    const std::string prefix =
        "V0203 10:11:12.345000 4242 torch/_dynamo/convert_frame.py:77] [3/0] [__graph_breaks] ";
    const std::string frame = prefix + "  File \"/w/train.py\", line 40, in guarded\n" + prefix +
                              "    print(y)\n" + prefix + "Traceback (most recent call last):\n" + prefix +
                              "torch._dynamo.exc.Unsupported: Failed to trace builtin operator\n";
    for (const std::string& head :
         {prefix + "Graph break: skip: from user code at:\n",
          prefix +
              "Graph break: torch.compile cannot properly resume from this graph break, which results in "
              "a skip.\n" +
              prefix +
              "torch.compile will skip tracing the frame guarded (/w/train.py line 38) and fall back "
              "to eager.\n" +
              prefix + "The graph break occurred in the following user code:\n"}) {
        LogReader reader(LogOptions{});
        reader.feed(head + frame);
        const LogReport r = reader.finish();
        EXPECT_TRUE(r.breaks.empty()) << head;
        EXPECT_EQ(r.breakOccurrences, 0);
        EXPECT_EQ(r.unparsedLines, 0);
        EXPECT_EQ(std::count(r.notes.begin(), r.notes.end(), "frames-skipped"), 1);
    }
}

/// Up to 2.5 a branch on data inside a called function ends in an exception of another class.
TEST(TorchWords, ReasonIsTheLastExceptionOfTheTraceback) {
    const std::string prefix =
        "V0203 10:11:12.345000 4242 torch/_dynamo/symbolic_convert.py:77] [3/0] [__graph_breaks] ";
    LogReader reader(LogOptions{});
    for (const char* line :
         {"Graph break: from user code at:", "  File \"/w/train.py\", line 50, in run", "    return part(x)",
          "  File \"/w/train.py\", line 44, in part",
          "    if x.max() > 9:", "Traceback (most recent call last):",
          "  File \"/lib/site-packages/torch/_dynamo/symbolic_convert.py\", line 5, in inner",
          "    raise exc.UserError(", "KeyError: 'k'", "",
          "torch._dynamo.exc.UserError: Dynamic control flow is not supported at the moment."})
        reader.feed(prefix + line + '\n');
    const LogReport r = reader.finish();
    EXPECT_FALSE(r.incomplete);
    ASSERT_EQ(r.breaks.size(), 1u);
    EXPECT_EQ(r.breaks[0].site, "/w/train.py:44");
    EXPECT_EQ(r.breaks[0].function, "part");
    EXPECT_EQ(r.breaks[0].kind, "control-flow");
    EXPECT_EQ(r.breaks[0].reason, "Dynamic control flow is not supported at the moment.");
}

/// From 2.12 on the user's stack stands below a reason, in a short format without any prefix.
TEST(TorchWords, UserStacksBelowReasonsAreRead) {
    LogReader reader(LogOptions{});
    reader.feed("DEBUG:torch._dynamo.guards.__recompiles:Recompiling function power in /w/train.py:13\n"
                "    triggered by the following guard failure(s):\n"
                "    - 2/1: n == 3                  # return x**n  # train.py:14 in power\n"
                "    - User stack trace:\n"
                "    -   File \"/w/train.py\", line 14, in power\n"
                "    -     return x**n\n"
                "    - 2/0: odd_words_of_a_new_guard(n)\n"
                "    - ___check_obj_id(L['net'].training, 94001)\n"
                "- milk\n"
                "-   eggs\n");
    const LogReport r = reader.finish();
    EXPECT_EQ(r.unparsedLines, 2);
    EXPECT_EQ(r.recompileHeaders, 1);
    EXPECT_EQ(r.guardFailureLines, 3);
    ASSERT_EQ(r.recompiles.size(), 1u);
    EXPECT_EQ(r.recompiles[0].causes.size(), 3u);
}

/// torch 2.1 prints a tuple; a reason with quotes of both kinds has backslashes in it.
TEST(TorchWords, TupleWithBothQuotesIsRead) {
    LogReader reader(LogOptions{});
    reader.feed("[2024-02-03 10:11:12,345] torch._dynamo.convert_frame.__recompiles: [DEBUG] ('Recompiling "
                "function say in /w/train.py:70', 'triggered by the following guard failure: "
                "L[\\'word\\'] == \"it\\'s\"')\n");
    const LogReport r = reader.finish();
    ASSERT_EQ(r.recompiles.size(), 1u);
    EXPECT_EQ(r.recompiles[0].name, "say");
    ASSERT_EQ(r.recompiles[0].causes.size(), 1u);
    EXPECT_EQ(r.recompiles[0].causes[0].source, "L['word']");
    EXPECT_EQ(r.recompiles[0].causes[0].values, (std::vector<std::string>{"\"it's\""}));
}

/// error_on_recompile raises what would be logged.
TEST(TorchWords, ErrorOnRecompileIsARecompile) {
    const std::string head = "Recompiling function power in /w/train.py:13\n";
    const std::string rest = "    triggered by the following guard failure(s):\n    - 2/0: n == 3\n";
    const std::string error = "Traceback (most recent call last):\n  File \"/w/train.py\", line 60, in run\n"
                              "torch._dynamo.exc.RecompileError: " +
                              head + rest;
    const std::string logged = "DEBUG:torch._dynamo.guards.__recompiles:" + head + rest;
    for (const std::string& text : {error, logged + error}) {
        LogReader reader(LogOptions{});
        reader.feed(text);
        const LogReport r = reader.finish();
        EXPECT_EQ(r.recompileHeaders, 1);
        EXPECT_EQ(r.guardFailureLines, 1);
        EXPECT_EQ(r.unparsedLines, 2);
        ASSERT_EQ(r.recompiles.size(), 1u);
        EXPECT_EQ(r.recompiles[0].name, "power");
        EXPECT_EQ(r.recompiles[0].site, "/w/train.py:13");
        EXPECT_EQ(r.recompiles[0].causes.at(0).cause, Cause::intSpecialization);
    }
}

/// The lines of a break in short formats, which have no prefix but on the first.
TEST(TorchWords, BareLinesOfABreakAreItsOwn) {
    LogReader reader(LogOptions{});
    reader.feed(
        "DEBUG:torch._dynamo.symbolic_convert.__graph_breaks:Graph break in user code at /w/train.py:34\n"
        "Graph Break Reason: Encountered graph break when attempting to trace CALL: a function call\n"
        "\n"
        "Failed to trace builtin operator\n"
        "  Higher Order Operator: autograd.Function\n"
        "  Explanation: Dynamo does not know how to trace builtin operator `print`\n"
        "\n"
        "*** While handling this graph break, another graph break occurred: ***\n"
        "\n"
        "Graph break under GenericContextWrappingVariable\n"
        "  Explanation: Attempted to graph break in an active context manager.\n"
        "User code traceback:\n"
        "  File \"/w/train.py\", line 34, in show\n"
        "    print(y)\n"
        "loss 0.5\n"
        "DEBUG:torch._dynamo.symbolic_convert.__graph_breaks:Graph break: from user code at:\n"
        "  File \"/w/train.py\", line 44, in part\n"
        "    if x.max() > 9:\n"
        "Traceback (most recent call last):\n"
        "  File \"/lib/site-packages/torch/_dynamo/x.py\", line 5, in inner\n"
        "    return self.cells[key]\n"
        "KeyError: 'k'\n"
        "\n"
        "The above exception was the direct cause of the following exception:\n"
        "\n"
        "Traceback (most recent call last):\n"
        "torch._dynamo.exc.UserError: Dynamic control flow is not supported at the moment.\n"
        "\n"
        "from user code:\n"
        "   File \"/w/train.py\", line 44, in part\n"
        "    if x.max() > 9:\n"
        "\n"
        "Set TORCHDYNAMO_VERBOSE=1 for the internal stack trace\n"
        "Error: my own\n");
    const LogReport r = reader.finish();
    EXPECT_EQ(r.unparsedLines, 2);
    EXPECT_EQ(r.breakOccurrences, 2);
    ASSERT_EQ(r.breaks.size(), 2u);
    const bool printFirst = r.breaks[0].site == "/w/train.py:34";
    EXPECT_EQ(r.breaks[printFirst ? 0 : 1].kind, "print");
    EXPECT_EQ(r.breaks[printFirst ? 1 : 0].kind, "control-flow");
}

/// Graphs of CUDA that are given up after too many recordings, or recorded for size after size.
TEST(TorchWords, TooManyRecordingsAreReplays) {
    const std::string prefix = "W0203 10:11:12.345000 4242 torch/_inductor/cudagraph_utils.py:77] ";
    LogReader reader(LogOptions{});
    for (
        const char* line :
        {"skipping cudagraph due to function 3 exceeding max re-recording limit (=128) on cudagraph node 7 "
         "due "
         "to static input data pointer changed.",
         "skipping cudagraph due to function 4 exceeding max re-recording limit (=128) on cudagraph node 9 "
         "due "
         "to static input data pointer changed.",
         "CUDAGraph supports dynamic shapes by recording a new graph for each distinct input size. Recording "
         "too many CUDAGraphs may lead to extra overhead. We have observed 9 distinct sizes. Please consider "
         "the following options",
         "skipping cudagraphs due to cpu device (y)"})
        reader.feed(prefix + line + '\n');
    const LogReport r = reader.finish();
    ASSERT_EQ(r.replays.size(), 3u);
    std::int64_t skipped = 0, recorded = 0;
    for (const GraphReplay& replay : r.replays) {
        (replay.skipped ? skipped : recorded) += replay.count;
        if (!replay.skipped) {
            EXPECT_EQ(replay.reason, "9 distinct sizes");
        }
    }
    EXPECT_EQ(skipped, 3);
    EXPECT_EQ(recorded, 1);
}

} // namespace
} // namespace divdet
