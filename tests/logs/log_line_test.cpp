// Every style in which a line of torch's logging may begin, and what stands in front of it.
#include <gtest/gtest.h>

#include "logs/log_line.h"

namespace divdet {
namespace {

struct Style {
    const char* line;
    LogPrefix prefix;
    int rank;
    const char* compileId;
    const char* artifact;
    const char* message;
};

class LineStyles : public ::testing::TestWithParam<Style> {};

TEST_P(LineStyles, AreTakenApart) {
    const Style& want = GetParam();
    SCOPED_TRACE(want.line);
    const LogLine got = parseLogLine(want.line);
    EXPECT_EQ(got.prefix, want.prefix);
    EXPECT_EQ(got.rank, want.rank);
    EXPECT_EQ(got.compileId, want.compileId);
    EXPECT_EQ(got.artifact, want.artifact);
    EXPECT_EQ(got.message, want.message);
}

#define GLOG "V1129 21:28:51.490000 7100 torch/_dynamo/guards.py:6374] "
#define BRACKET "[2023-11-15 16:13:26,741] "

INSTANTIATE_TEST_SUITE_P(
    Torch, LineStyles,
    ::testing::Values(
        Style{GLOG "[0/1] [__recompiles]     - a", LogPrefix::glog, -1, "0/1", "recompiles", "    - a"},
        Style{"[rank3]:" GLOG "[0/1_2] [__graph_breaks] b", LogPrefix::glog, 3, "0/1_2", "graph_breaks", "b"},
        Style{GLOG "[!0/2/1] [__recompiles] c", LogPrefix::glog, -1, "!0/2/1", "recompiles", "c"},
        Style{GLOG "[-/-] d", LogPrefix::glog, -1, "-/-", "", "d"},
        Style{GLOG "[list] e", LogPrefix::glog, -1, "", "", "[list] e"},
        Style{"W1129 21:28:51.490000 7100 C:\\t\\torch\\_dynamo\\cf.py:9] [0/8] f", LogPrefix::glog, -1,
              "0/8", "", "f"},
        Style{BRACKET "[0/0] torch._dynamo.symbolic_convert.__graph_breaks: [DEBUG] g", LogPrefix::bracket,
              -1, "0/0", "graph_breaks", "g"},
        Style{"[rank1]:" BRACKET "torch._dynamo.convert_frame: [WARNING] h", LogPrefix::bracket, 1, "", "",
              "h"},
        Style{"DEBUG:torch._dynamo.guards.__recompiles:i", LogPrefix::basic, -1, "", "recompiles", "i"},
        Style{"[recompiles] torch._dynamo: j", LogPrefix::lesson, -1, "", "recompiles", "torch._dynamo: j"}));

INSTANTIATE_TEST_SUITE_P(
    Launchers, LineStyles,
    ::testing::Values(
        Style{"[default3]:" GLOG "[0/1] a", LogPrefix::glog, 3, "0/1", "", "a"},
        Style{"[default3]:[rank11]:" GLOG "[0/1] a", LogPrefix::glog, 11, "0/1", "", "a"},
        Style{" 3: " GLOG "[0/1] b", LogPrefix::glog, 3, "0/1", "", "b"},
        Style{"[1,5]<stderr>:" GLOG "[0/1] c", LogPrefix::glog, 5, "0/1", "", "c"},
        Style{"2024-05-01T12:00:00.123456789Z stderr F " GLOG "[0/1] d", LogPrefix::glog, -1, "0/1", "", "d"},
        Style{"(Trainer pid=12, ip=10.0.0.1) [rank2]:" GLOG "[0/1] e", LogPrefix::glog, 2, "0/1", "", "e"},
        Style{"node7 | " BRACKET "[0/0] torch._dynamo.output_graph: [DEBUG] f", LogPrefix::bracket, -1, "0/0",
              "", "f"},
        Style{"DEBUG    torch._dynamo.guards.__recompiles:guards.py:2611 Recompiling", LogPrefix::basic, -1,
              "", "recompiles", "Recompiling"}));

INSTANTIATE_TEST_SUITE_P(
    NotTorch, LineStyles,
    ::testing::Values(Style{"", LogPrefix::none, -1, "", "", ""},
                      Style{"V1129", LogPrefix::none, -1, "", "", "V1129"},
                      Style{"step 3 at 21:28:51.490000 done", LogPrefix::none, -1, "", "",
                            "step 3 at 21:28:51.490000 done"},
                      Style{"[2023-11-15 16:13:26,741] my.logger no level", LogPrefix::none, -1, "", "",
                            "[2023-11-15 16:13:26,741] my.logger no level"},
                      Style{"DEBUG:urllib3:x", LogPrefix::none, -1, "", "", "DEBUG:urllib3:x"},
                      Style{"DEBUG    torch:", LogPrefix::none, -1, "", "", "DEBUG    torch:"},
                      Style{"[rank3]: Traceback", LogPrefix::none, 3, "", "", "Traceback"}));

TEST(Colours, AreTakenOff) {
    std::string buffer;
    EXPECT_EQ(withoutColours("\x1b[31mred\x1b[0;1m bold\x1b[0m\r", buffer), "red bold");
    EXPECT_EQ(withoutColours("plain", buffer), "plain");
    EXPECT_EQ(withoutColours("cut \x1b[3", buffer), "cut ");
    EXPECT_EQ(withoutColours("\x1b", buffer), "");
}

TEST(CompileId, KnowsItsAttempt) {
    EXPECT_EQ(withoutAttempt("3/1_2"), "3/1");
    EXPECT_EQ(attemptOf("3/1_2"), 2);
    EXPECT_EQ(attemptOf("3/1"), 0);
    EXPECT_EQ(attemptOf("3/1_x"), 0);
}

TEST(SecondsOf, DaysAreInOrderInEveryYear) {
    const auto at = [](const char* time) { return secondsOf(time).value_or(-1); };
    EXPECT_EQ(at("0229 23:59:59.500000") + 0.5, at("0301 00:00:00.000000"));
    EXPECT_EQ(at("2024-02-29 00:00:00,250"), at("0229 00:00:00.250000"));
    EXPECT_EQ(at("1231 00:00:00.000000") - at("0101 00:00:00.000000"), 365 * 86400.0);
    EXPECT_FALSE(secondsOf("1301 00:00:00.000000").has_value());
}

} // namespace
} // namespace divdet
