#include <gtest/gtest.h>

#include "dump/folder_order.h"
#include "dump/write.h"
#include "dump_test_support.h"

namespace divdet::testing {
namespace {

Tensor floats(std::vector<float> values) {
    const auto n = static_cast<std::int64_t>(values.size());
    return tensorOf<float>(DType::f32, {n}, values);
}

std::vector<std::string> namesOf(const Dump& dump) {
    std::vector<std::string> out;
    for (const TapEntry& t : dump.taps()) out.push_back(t.name);
    return out;
}

TEST(Folder, EachFileIsATapInOrder) {
    const ScratchFolder f;
    ASSERT_TRUE(writeNpy(f / "layer10.npy", floats({10})).ok());
    ASSERT_TRUE(writeNpy(f / "layer2.npy", floats({2})).ok());
    const std::vector<NamedTensor> two = {{"q", floats({1})}, {"k", floats({2})}};
    ASSERT_TRUE(writeNpz(f / "layer3.npz", two).ok());
    std::ofstream(f / "notes.txt") << "hello";
    const auto dump = openDump(f.path());
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    EXPECT_EQ((*dump)->format(), "folder");
    EXPECT_EQ(namesOf(**dump), (std::vector<std::string>{"layer2", "layer3/q", "layer3/k", "layer10"}));
    EXPECT_EQ(elementAt((*dump)->load(2)->view(), 0), 2.0);
    ASSERT_EQ((*dump)->manifest().cautions.size(), 1u);
    EXPECT_EQ((*dump)->manifest().cautions[0].id, "ignored-member");
}

TEST(Folder, ADamagedFileIsOneUnreadableTap) {
    const ScratchFolder f;
    ASSERT_TRUE(writeNpy(f / "good.npy", floats({1, 2})).ok());
    ASSERT_TRUE(writeNpy(f / "bad.npy", floats({1, 2})).ok());
    std::filesystem::resize_file(f / "bad.npy", 132);
    const auto dump = openDump(f.path());
    ASSERT_TRUE(dump.ok());
    EXPECT_EQ((*dump)->load(0).error().code, ErrorCode::truncated);
    EXPECT_TRUE((*dump)->load(1).ok());
}

TEST(Folder, LinksDoNotLeaveIt) {
    const ScratchFolder outside, f;
    ASSERT_TRUE(writeNpy(outside / "secret.npy", floats({1})).ok());
    ASSERT_TRUE(writeNpy(f / "a.npy", floats({1})).ok());
    std::filesystem::create_symlink(outside / "secret.npy", f / "b.npy");
    std::filesystem::create_symlink("a.npy", f / "c.npy");
    const auto dump = openDump(f.path());
    ASSERT_TRUE(dump.ok());
    EXPECT_EQ(namesOf(**dump), (std::vector<std::string>{"a", "c"}));
}

TEST(Folder, VoidElementsGetTheirTypeOnce) {
    const ScratchFolder f;
    const std::vector<std::uint16_t> ones = {0x3f80};
    ASSERT_TRUE(writeNpy(f / "x.npy", tensorOf<std::uint16_t>(DType::bf16, {1}, ones)).ok());
    const auto dump = openDump(f.path());
    ASSERT_TRUE(dump.ok());
    EXPECT_FALSE((*dump)->load(0).ok());
    EXPECT_EQ((*dump)->load(0, {DType::bf16, ""})->dtype(), DType::bf16);
}

TEST(Folder, NothingReadable) {
    const ScratchFolder f;
    EXPECT_EQ(openDump(f.path()).error().code, ErrorCode::unsupported);
}

TEST(Folder, OrderOfStems) {
    const auto sorted = [](std::vector<std::string> stems) {
        sortStems(stems);
        return stems;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(sorted({"mlp_2", "embed_0", "attn_10", "norm_1"}),
              (Names{"embed_0", "norm_1", "mlp_2", "attn_10"}));
    EXPECT_EQ(sorted({"10_a", "2_b", "0_c"}), (Names{"0_c", "2_b", "10_a"}));
    EXPECT_EQ(sorted({"block1.q1", "block0.q1", "block0.k2"}),
              (Names{"block0.k2", "block0.q1", "block1.q1"}));
}

TEST(Open, NamesWhatItDoesNotRead) {
    const auto messageOf = [](std::string text) {
        const auto* p = reinterpret_cast<const std::byte*>(text.data());
        const auto dump = openBytes("x.bin", {p, p + text.size()});
        return dump ? "opened" : dump.error().message;
    };
    EXPECT_EQ(messageOf(""), "the file is empty");
    EXPECT_EQ(messageOf("\x1f\x8b\x08"), "this is a gzip file");
    EXPECT_NE(messageOf("\x80\x02}q.").find("pickle"), std::string::npos);
    EXPECT_EQ(messageOf("\x89HDF\r\n\x1a\n"), "this is an HDF5 file");
    EXPECT_EQ(messageOf("{\"a\": 1}"), "this is a JSON file");
    EXPECT_NE(messageOf(std::string("\x08\x07\x12\x07pytorch", 11)).find("ONNX"), std::string::npos);
    EXPECT_EQ(messageOf("1.0 2.0\n"), "this is a text file");
    EXPECT_EQ(messageOf(std::string("\x01\x02\x00\x03", 4)), "the content is of no known format");
}

TEST(Open, OnlyRegularFiles) {
    EXPECT_EQ(openDump("/dev/zero").error().code, ErrorCode::refused);
    EXPECT_EQ(openDump("no such file").error().code, ErrorCode::notFound);
}

TEST(Open, ShardsAreRecognised) {
    const ScratchFolder f;
    const std::vector<NamedTensor> one = {{"w", floats({1})}};
    ASSERT_TRUE(writeSafetensors(f / "model-00001-of-00003.safetensors", one).ok());
    const auto dump = openDump(f / "model-00001-of-00003.safetensors");
    ASSERT_TRUE(dump.ok() && (*dump)->isShard());
    EXPECT_EQ((*dump)->manifest().shard->index, 1);
    EXPECT_EQ((*dump)->manifest().shard->count, 3);
    EXPECT_FALSE(shardOf("step-2-of-3.safetensors"));
    EXPECT_FALSE(shardOf("model.safetensors"));
}

TEST(Open, BigFilesAreMappedAndOutliveTheDump) {
    const ScratchFolder f;
    const std::vector<float> many(100'000, 3.5f);
    const std::vector<NamedTensor> tensors = {{"x", floats(many)}};
    ASSERT_TRUE(writeNpz(f / "t.npz", tensors).ok());
    Tensor t;
    {
        const auto dump = openDump(f / "t.npz");
        ASSERT_TRUE(dump.ok());
        t = *(*dump)->load(0);
    }
    EXPECT_EQ(elementAt(t.view(), 99'999), 3.5); // zip members lie at any offset: memcpy, no pointer to float
}

} // namespace
} // namespace divdet::testing
