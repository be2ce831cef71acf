#include <iostream>

#include <nlohmann/json.hpp>

#include "dump_test_support.h"
#include "proto_lite.h"

namespace divdet::testing {
namespace {

std::vector<std::string> names(const Dump& dump) {
    std::vector<std::string> out;
    for (const TapEntry& tap : dump.taps()) out.push_back(tap.name);
    return out;
}

void save(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

std::string errorOf(const Result<std::shared_ptr<const Dump>>& dump) {
    if (!dump) return dump.error().text();
    const auto& error = (*dump)->taps().at(0).error;
    return error ? error->text() : "";
}

Proto externalTensor(const std::string& location, const std::string& offset = "",
                     const std::string& length = "") {
    Proto t = Proto().varint(1, 2).varint(2, 1).bytes(8, "w").varint(14, 1);
    t.message(13, Proto().bytes(1, "location").bytes(2, location));
    if (!offset.empty()) t.message(13, Proto().bytes(1, "offset").bytes(2, offset));
    if (!length.empty()) t.message(13, Proto().bytes(1, "length").bytes(2, length));
    return t;
}

TEST(OnnxReader, InitialisersInOrderWithThoseOfSubgraphs) {
    const Proto branch = Proto().message(5, floatTensor("w", {5}));
    const Proto node = Proto()
                           .message(5, Proto().bytes(1, "then_branch").message(6, branch))
                           .message(5, Proto().bytes(1, "else_branch").message(6, branch))
                           .bytes(4, "If");
    const Proto named = Proto().bytes(3, "loop").message(5, Proto().bytes(1, "body").message(6, branch));
    const Proto graph = Proto()
                            .message(5, floatTensor("w", {1, 2}))
                            .message(1, node)
                            .message(1, named)
                            .message(5, floatTensor("b", {3}));
    const auto dump = openBytes("m.onnx", onnxModel(graph).file());
    ASSERT_TRUE(dump.ok()) << dump.error().text();
    EXPECT_EQ((*dump)->format(), "onnx");
    EXPECT_EQ(names(**dump), (std::vector<std::string>{"w", "If#0/then_branch/w", "If#0/else_branch/w",
                                                       "loop/body/w", "b"}));
    EXPECT_TRUE((*dump)->manifest().cautions.empty());
    EXPECT_EQ(elementAt((*dump)->load(0)->view(), 1), 2);
    EXPECT_EQ(elementAt((*dump)->load(1)->view(), 0), 5);
}

TEST(OnnxReader, OfTwoInitialisersWithOneNameTheLastCounts) {
    const Proto graph = Proto().message(5, floatTensor("w", {1})).message(5, floatTensor("w", {2}));
    const auto dump = openBytes("m.onnx", onnxModel(graph).file());
    ASSERT_TRUE(dump.ok());
    ASSERT_EQ((*dump)->taps().size(), 1u);
    EXPECT_EQ(elementAt((*dump)->load(0)->view(), 0), 2);
    EXPECT_EQ((*dump)->manifest().cautions.at(0).id, "duplicate-member");
}

TEST(OnnxReader, RawDataIsAWindowOnTheFile) {
    const auto file =
        FileBytes::of("m.onnx", onnxModel(Proto().message(5, floatTensor("w", {1, 2, 3}))).file());
    const auto dump = openDump(file);
    ASSERT_TRUE(dump.ok());
    const std::byte* data = (*dump)->load(0)->view().data;
    EXPECT_GE(data, file->bytes().data());
    EXPECT_LT(data, file->bytes().data() + file->size());
}

TEST(OnnxReader, ExternalDataOnlyFromTheFolder) {
    const ScratchFolder outside;
    const ScratchFolder folder;
    const std::vector<float> values = {7, 8, 9};
    const std::string bytes(reinterpret_cast<const char*>(values.data()), 12);
    save(folder / "w.bin", bytes);
    save(outside / "w.bin", bytes);
    std::filesystem::create_directory(folder / "sub");
    save(folder / "sub/w.bin", bytes);
    std::filesystem::create_symlink(outside / "w.bin", folder / "link.bin");
    std::filesystem::create_directory_symlink(outside.path(), folder / "away");
    std::filesystem::create_symlink("w.bin", folder / "near.bin");
    const auto open = [&](const Proto& tensor) {
        save(folder / "m.onnx", onnxModel(Proto().message(5, tensor)).text);
        return openDump(folder / "m.onnx");
    };
    for (const char* good : {"w.bin", "sub/w.bin", "near.bin", "./w.bin"}) {
        const auto dump = open(externalTensor(good, "4", "8"));
        ASSERT_EQ(errorOf(dump), "") << good;
        EXPECT_EQ(elementAt((*dump)->load(0)->view(), 1), 9);
    }
    EXPECT_EQ(errorOf(open(externalTensor("w.bin", "4"))), "");
    const std::string absolute = (outside / "w.bin").string();
    for (const std::string& bad :
         {std::string("../w.bin"), absolute, std::string("sub/../w.bin"), std::string("link.bin"),
          std::string("away/w.bin"), std::string(""), std::string("C:w.bin"), std::string("w.bin\0x", 7),
          std::string(9999, 'a')}) {
        const auto dump = open(externalTensor(bad, "4", "8"));
        ASSERT_TRUE(dump.ok());
        ASSERT_TRUE((*dump)->taps()[0].error) << bad;
        EXPECT_EQ((*dump)->taps()[0].error->code, ErrorCode::refused) << bad;
        EXPECT_TRUE((*dump)->taps()[0].error->offset);
        EXPECT_FALSE((*dump)->load(0).ok());
    }
    EXPECT_NE(errorOf(open(externalTensor("gone.bin"))).find("not there"), std::string::npos);
    EXPECT_NE(errorOf(open(externalTensor("sub"))).find("not a regular file"), std::string::npos);
    for (const auto& [offset, length] :
         std::vector<std::pair<std::string, std::string>>{{"13", "0"},
                                                          {"8", "8"},
                                                          {"18446744073709551615", "8"},
                                                          {"4", "99999999999999999999"},
                                                          {"-4", "8"},
                                                          {"x", "8"},
                                                          {"0", "4"},
                                                          {"0", ""}})
        EXPECT_NE(errorOf(open(externalTensor("w.bin", offset, length))), "") << offset << " " << length;
}

/// Bytes in memory have no folder, whatever their name says.
TEST(OnnxReader, NoExternalDataForBytesThatAreNoFile) {
    const auto dump = openBytes("m.onnx", onnxModel(Proto().message(5, externalTensor("m.onnx"))).file());
    EXPECT_NE(errorOf(dump).find("not a file of its own"), std::string::npos);
}

TEST(OnnxReader, DepthAndCountsAreLimited) {
    Proto graph = Proto().message(5, floatTensor("w", {1}));
    for (int i = 0; i < 60; ++i)
        graph = Proto().message(1, Proto().message(5, Proto().bytes(1, "body").message(6, graph)));
    const auto deep = openBytes("m.onnx", onnxModel(graph).file());
    ASSERT_FALSE(deep.ok());
    EXPECT_EQ(deep.error().code, ErrorCode::refused);
    EXPECT_TRUE(deep.error().offset);

    Proto dims = Proto().varint(2, 1).bytes(8, "w");
    for (int i = 0; i < 65; ++i) dims.varint(1, 1);
    EXPECT_NE(errorOf(openBytes("t.pb", dims.raw<float>({1}).file())).find("65 dimensions"),
              std::string::npos);
}

TEST(OnnxReader, HostileNamesAreText) {
    const std::string nul("a\0b", 3), bad("\xff\xfe", 2), up("../../etc/passwd"), huge(10'000'000, 'n');
    Proto graph;
    for (const std::string& name : {nul, bad, up, huge}) graph.message(5, floatTensor(name, {1}));
    const auto dump = openBytes("m.onnx", onnxModel(graph).file());
    ASSERT_TRUE(dump.ok());
    EXPECT_EQ(names(**dump), (std::vector<std::string>{nul, "\xc3\xbf\xc3\xbe", up, huge}));
}

/// A cut message is an error, or holds only what the whole one holds: protobuf does not tell its own length.
TEST(OnnxReader, CutAndChangedAnywhere) {
    const Proto graph = Proto()
                            .message(5, floatTensor("first", {1, 2, 3}))
                            .message(5, Proto().varint(1, 5).varint(2, 22).bytes(8, "four").bytes(9, "abc"))
                            .message(5, Proto().varint(1, 2).varint(2, 7).bytes(7, "\x05\x06").bytes(8, "i"));
    int whole = 0, refused = 0;
    for (const Proto& source : {onnxModel(graph), floatTensor("first", {1, 2, 3})}) {
        const auto bytes = source.file();
        const auto truth = openBytes("x.onnx", bytes);
        ASSERT_TRUE(truth.ok());
        for (std::size_t n = 0; n < bytes.size(); ++n) {
            const auto cut =
                openBytes("x.onnx", {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n)});
            if (!cut) {
                ++refused;
                continue;
            }
            for (std::size_t i = 0; i < (*cut)->taps().size(); ++i) {
                const std::string hash = hashOf(**cut, i);
                EXPECT_TRUE(hash.starts_with("error") || hash == hashOf(**truth, i)) << n;
            }
        }
        for (std::size_t n = 0; n < bytes.size(); ++n)
            for (unsigned flip = 1; flip < 256; ++flip) {
                auto changed = bytes;
                changed[n] ^= static_cast<std::byte>(flip);
                const auto dump = openBytes(n % 2 ? "x.onnx" : "x.pb", changed);
                if (!dump) {
                    EXPECT_FALSE(dump.error().message.empty());
                    ++refused;
                    continue;
                }
                for (std::size_t i = 0; i < (*dump)->taps().size(); ++i) hashOf(**dump, i);
                ++whole;
            }
    }
    std::cout << refused << " refused, " << whole << " opened\n";
    EXPECT_GT(refused, 1000);
}

TEST(OnnxReader, InitialisersOfRealModels) {
    const auto folder = shared("data/onnx");
    DIVDET_NEED_SHARED(folder / "models");
    int models = 0, tensors = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".onnx" ||
            entry.path().string().find("malformed") != std::string::npos)
            continue;
        SCOPED_TRACE(entry.path());
        const auto dump = openDump(entry.path());
        if (!dump) { // some have no weights
            EXPECT_NE(dump.error().message.find("no initialisers"), std::string::npos) << dump.error().text();
            continue;
        }
        ++models;
        for (std::size_t i = 0; i < (*dump)->taps().size(); ++i, ++tensors)
            EXPECT_FALSE(hashOf(**dump, i).starts_with("error")) << (*dump)->taps()[i].name;
    }
    std::cout << models << " models, " << tensors << " initialisers\n";
    EXPECT_GE(models, 30);
}

} // namespace
} // namespace divdet::testing
