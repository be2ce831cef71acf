#include "dump/tap_view.h"
#include "dump/write.h"
#include "dump_test_support.h"

namespace divdet::testing {
namespace {

Tensor floats(Shape shape, std::vector<float> values) {
    return tensorOf<float>(DType::f32, std::move(shape), std::span<const float>(values));
}

std::vector<double> values(const Dump& dump, const std::string& tap) {
    const auto at = dump.find(tap);
    if (!at) return {-1};
    const auto t = dump.load(*at);
    if (!t) return {-2};
    std::vector<double> out(static_cast<std::size_t>(t->elements()));
    loadAsDouble(t->view(), 0, out);
    return out;
}

using Numbers = std::vector<double>;

TEST(RawFile, SizeMustMatchExactly) {
    const ScratchFolder folder;
    std::ofstream(folder / "w.bin", std::ios::binary) << std::string("\0\0\x80\x3f\0\0\0\x40", 8);
    const auto good = openDump(folder / "w.bin", {.raw = RawFormat{DType::f32, {1, 2}}});
    ASSERT_TRUE(good.ok()) << good.error().text();
    EXPECT_EQ((*good)->format(), "raw");
    EXPECT_EQ(values(**good, "w"), (Numbers{1, 2}));
    const auto bad = openDump(folder / "w.bin", {.raw = RawFormat{DType::f32, {3}}});
    ASSERT_FALSE(bad.ok());
    EXPECT_NE(bad.error().message.find("needs 12 bytes, the file has 8"), std::string::npos);
    EXPECT_FALSE(openDump(folder / "w.bin", {.raw = RawFormat{DType::f32, {INT64_MAX, 8}}}).ok());
    EXPECT_FALSE(openDump(folder / "w.bin").ok()); // never guessed
}

TEST(RawFile, Shapes) {
    EXPECT_EQ(parseShape("3x4"), (Shape{3, 4}));
    EXPECT_EQ(parseShape("3,4,1"), (Shape{3, 4, 1}));
    EXPECT_EQ(parseShape("scalar"), Shape{});
    for (const char* bad : {"", "x", "3x-1", "3x4y", "a", "99999999999999999999"})
        EXPECT_FALSE(parseShape(bad)) << bad;
}

TEST(Ranks, NamesOfRanks) {
    EXPECT_EQ(rankedName("rank0")->rest, "");
    EXPECT_EQ(rankedName("rank_12")->rank, 12u);
    EXPECT_EQ(rankedName("logits_rank0_step1")->rest, "logits_step1");
    EXPECT_EQ(rankedName("tp-rank-3")->rest, "tp");
    EXPECT_EQ(rankedName("rank1.y")->rest, "y");
    for (const char* none : {"rank", "frank0", "rank0a", "ranks", "rank-x", "rank99999999999999999999"})
        EXPECT_FALSE(rankedName(none)) << none;
}

class RankFolder : public ::testing::Test {
protected:
    void SetUp() override {
        for (int rank : {0, 1}) {
            const auto sub = folder / ("rank" + std::to_string(rank));
            std::filesystem::create_directory(sub);
            const float base = 10.0f * static_cast<float>(rank);
            ASSERT_TRUE(writeNpy(sub / "y.npy", floats({1, 2}, {base + 1, base + 2})).ok());
        }
    }
    Result<std::shared_ptr<const Dump>> open(const std::string& how) {
        return openDump(folder.path(), {.ranks = parseRankJoin(how).value_or(RankJoin{})});
    }
    ScratchFolder folder;
};

TEST_F(RankFolder, ListedJoinedAddedOrAsReplicas) {
    const auto listed = open("");
    ASSERT_TRUE(listed.ok()) << listed.error().text();
    EXPECT_EQ(values(**listed, "rank1/y"), (Numbers{11, 12}));
    EXPECT_EQ((*listed)->manifest().cautions.at(0).id, "ranks");
    EXPECT_TRUE((*open("replicas"))->manifest().cautions.empty());
    const auto rows = open("concat:0"), columns = open("concat:-1"), sum = open("sum");
    EXPECT_EQ((*rows)->taps()[0].shape, (Shape{2, 2}));
    EXPECT_EQ(values(**rows, "y"), (Numbers{1, 2, 11, 12}));
    EXPECT_EQ((*columns)->taps()[0].shape, (Shape{1, 4}));
    EXPECT_EQ(values(**columns, "y"), (Numbers{1, 2, 11, 12}));
    EXPECT_EQ(values(**sum, "y"), (Numbers{12, 14}));
    EXPECT_EQ((*sum)->taps()[0].transform, "ranks sum");
    EXPECT_FALSE((*open("concat:2"))->load(0).ok());
}

TEST_F(RankFolder, ARankThatLacksATapOrHasAnotherShape) {
    ASSERT_TRUE(writeNpy(folder / "rank1/only.npy", floats({1}, {1})).ok());
    ASSERT_TRUE(writeNpy(folder / "rank1/y.npy", floats({3}, {1, 2, 3})).ok());
    const auto sum = open("sum");
    ASSERT_TRUE(sum.ok());
    EXPECT_NE((*sum)->load(0).error().message.find("[1, 2] and [3]"), std::string::npos);
    EXPECT_NE((*sum)->load(1).error().message.find("rank 0 has no tap"), std::string::npos);
}

TEST(Ranks, FilesThatNameTheirRank) {
    const ScratchFolder folder;
    for (int rank : {0, 1}) {
        const float x = static_cast<float>(rank);
        ASSERT_TRUE(writeNpy(folder / ("y_rank" + std::to_string(rank) + ".npy"), floats({1}, {x})).ok());
    }
    const auto dump = openDump(folder.path(), {.ranks = *parseRankJoin("concat:0")});
    ASSERT_TRUE(dump.ok());
    EXPECT_EQ(values(**dump, "y"), (Numbers{0, 1}));
    ASSERT_TRUE(writeNpy(folder / "other.npy", floats({1}, {0})).ok());
    EXPECT_EQ((*openDump(folder.path()))->taps().size(), 3u); // a file without a rank: an ordinary folder
}

TEST(TapView, SplitsAlongTheAxisThatFits) {
    EXPECT_EQ(joinAxis({6, 2}, {{2, 2}, {4, 2}}), 0u);
    EXPECT_EQ(joinAxis({2, 6}, {{2, 2}, {2, 4}}), 1u);
    EXPECT_FALSE(joinAxis({6, 2}, {{2, 2}, {3, 2}}));
    EXPECT_FALSE(joinAxis({6}, {{2, 3}}));
    const ScratchFolder folder;
    ASSERT_TRUE(writeNpy(folder / "qkv.npy", floats({2, 3}, {1, 2, 3, 4, 5, 6})).ok());
    const auto dump = openDump(folder / "qkv.npy");
    const auto split = withSplitTap(*dump, "qkv", {{2, 1}, {2, 2}});
    ASSERT_TRUE(split.ok()) << split.error().text();
    EXPECT_EQ(values(**split, "qkv[:, 0:1]"), (Numbers{1, 4}));
    EXPECT_EQ(values(**split, "qkv[:, 1:3]"), (Numbers{2, 3, 5, 6}));
    EXPECT_EQ((*split)->taps()[1].transform, "split");
    EXPECT_FALSE(withSplitTap(*dump, "qkv", {{2, 1}}).ok());
    EXPECT_FALSE(withSplitTap(*dump, "q", {{2, 3}}).ok());
    const auto transposed = withTransposedTap(*dump, "qkv");
    EXPECT_EQ(values(**transposed, "qkv"), (Numbers{1, 4, 2, 5, 3, 6}));
    EXPECT_EQ((*transposed)->taps()[0].shape, (Shape{3, 2}));
}

} // namespace
} // namespace divdet::testing
