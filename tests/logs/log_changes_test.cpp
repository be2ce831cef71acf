// Two logs, before a fix and after it.
#include <gtest/gtest.h>

#include "logs/log_changes.h"
#include "logs/log_reader.h"

namespace divdet {
namespace {

LogReport read(std::string_view text) {
    LogReader reader;
    reader.feed(text);
    return reader.finish();
}

std::string line(std::string_view artifact, std::string_view text) {
    return "V0101 10:00:00.000001 77 torch/_dynamo/x.py:1] [0/1] [__" + std::string(artifact) + "] " +
           std::string(text) + '\n';
}

std::string recompile(std::string_view reason) {
    return line("recompiles", "Recompiling function f in /w/net.py:3") +
           line("recompiles", "    triggered by the following guard failure(s):") +
           line("recompiles", "    - 0/0: " + std::string(reason));
}

std::string breakAt(int where, std::string_view reason, std::string_view file = "/w/net.py") {
    const std::string place = std::string(file) + ':' + std::to_string(where);
    return line("graph_breaks", "Graph break in user code at " + place) +
           line("graph_breaks", "Graph Break Reason: " + std::string(reason)) +
           line("graph_breaks", "User code traceback:") +
           line("graph_breaks",
                "  File \"" + std::string(file) + "\", line " + std::to_string(where) + ", in f");
}

TEST(LogChanges, CountWhatWentWhatCameAndWhatStayed) {
    const std::string size = "tensor 'x' size mismatch at index 0. expected 4, actual ";
    const auto before = read(recompile(size + "5") + recompile(size + "6") + recompile("L['n'] == 3") +
                             breakAt(9, "Unsupported: Tensor.item"));
    const auto after =
        read(recompile(size + "7") + recompile("tensor 'x' dtype mismatch. expected Float, actual Half"));
    const auto c = changesBetween(before, after);
    ASSERT_EQ(c.stayed.size(), 1u);
    EXPECT_EQ(c.stayed[0].what, "dynamic-shape of x, dim 0");
    EXPECT_EQ(c.stayed[0].before, 2);
    EXPECT_EQ(c.stayed[0].after, 1);
    ASSERT_EQ(c.gone.size(), 2u);
    EXPECT_EQ(c.gone[0].what, "int-specialization of n");
    EXPECT_EQ(c.gone[0].before, 1);
    EXPECT_EQ(c.gone[0].after, 0);
    EXPECT_EQ(c.gone[1].kind, LogChange::Kind::graphBreak);
    EXPECT_EQ(c.gone[1].site, "/w/net.py:9");
    ASSERT_EQ(c.fresh.size(), 1u);
    EXPECT_EQ(c.fresh[0].what, "dtype of x");
    EXPECT_EQ(c.fresh[0].before, 0);
    EXPECT_EQ(c.fresh[0].after, 1);
}

TEST(LogChanges, ALogAgainstItselfOnlyStays) {
    const auto r = read(breakAt(9, "a") + breakAt(9, "b") + breakAt(12, "a") + recompile("L['n'] == 3"));
    const auto c = changesBetween(r, r);
    EXPECT_EQ(c.stayed.size(), 4u);
    EXPECT_TRUE(c.gone.empty());
    EXPECT_TRUE(c.fresh.empty());
    for (const auto& item : c.stayed) EXPECT_EQ(item.before, item.after);
}

TEST(LogChanges, OtherDimsAndOtherNamesAreOtherThings) {
    const auto at = [](int dim, std::string_view name) {
        return read(recompile("tensor '" + std::string(name) + "' size mismatch at index " +
                              std::to_string(dim) + ". expected 4, actual 5"));
    };
    EXPECT_TRUE(changesBetween(at(0, "x"), at(1, "x")).stayed.empty());
    EXPECT_TRUE(changesBetween(at(0, "x"), at(0, "y")).stayed.empty());
    // torch writes L['x'] up to 2.6 and x later: one name.
    EXPECT_EQ(changesBetween(at(0, "L['x']"), at(0, "x")).stayed.size(), 1u);
}

TEST(LogChanges, ABreakMovesWithItsFunctionButNotToAnotherFile) {
    const auto moved = changesBetween(read(breakAt(9, "a")), read(breakAt(20, "a")));
    ASSERT_EQ(moved.stayed.size(), 1u);
    EXPECT_EQ(moved.stayed[0].site, "/w/net.py:20");
    const auto other = changesBetween(read(breakAt(9, "a")), read(breakAt(9, "a", "/w/other.py")));
    EXPECT_TRUE(other.stayed.empty());
    EXPECT_EQ(other.gone.size(), 1u);
    EXPECT_EQ(other.fresh.size(), 1u);
}

TEST(LogChanges, AnotherVersionsWordsForOneBreakAreOneBreak) {
    const auto c =
        changesBetween(read(breakAt(9, "Unsupported: Tensor.item")),
                       read(breakAt(9, "Unsupported Tensor.item() call with capture_scalar_outputs=False")));
    EXPECT_EQ(c.stayed.size(), 1u);
    EXPECT_TRUE(c.gone.empty());
    const auto kinds = changesBetween(read(breakAt(9, "Unsupported: Tensor.item")),
                                      read(breakAt(9, "Data-dependent branching")));
    EXPECT_TRUE(kinds.stayed.empty());
}

TEST(LogChanges, ALimitIsAThingOfItsOwn) {
    const std::string limit = "W0101 10:00:00.000001 77 torch/_dynamo/c.py:1] [0/8] ";
    const auto before =
        read(recompile("L['n'] == 3") + limit + "torch._dynamo hit config.recompile_limit (8)\n" + limit +
             "   function: 'f' (/w/net.py:3)\n" + limit + "   last reason: 0/7: L['n'] == 3\n");
    const auto c = changesBetween(before, read(recompile("L['n'] == 3")));
    ASSERT_EQ(c.gone.size(), 1u);
    EXPECT_EQ(c.gone[0].kind, LogChange::Kind::limit);
    EXPECT_EQ(c.gone[0].what, "hits the limit of 8");
    EXPECT_EQ(c.stayed.size(), 1u);
}

} // namespace
} // namespace divdet
