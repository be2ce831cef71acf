#include <nlohmann/json.hpp>

#include "dump/write.h"
#include "dump_test_support.h"

namespace divdet::testing {
namespace {

std::string allErrors(const Result<std::shared_ptr<const Dump>>& dump) {
    if (!dump) return dump.error().text();
    std::string out;
    for (std::size_t i = 0; i < (*dump)->taps().size(); ++i)
        if (const auto t = (*dump)->load(i); !t) out += t.error().text() + "\n";
    return out;
}

TEST(Sharded, AsTheExpectedFileSays) {
    const auto folder = shared("data/onnx/formats/sharded");
    DIVDET_NEED_SHARED(folder);
    const auto expected =
        nlohmann::json::parse(std::ifstream(shared("data/onnx/formats/expected.json")))["files"]["sharded"];
    int good = 0, bad = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        SCOPED_TRACE(name);
        const auto dump = openDump(entry.path() / "model.safetensors.index.json");
        if (name.starts_with("bad_")) {
            const std::string errors = allErrors(dump);
            EXPECT_NE(errors, "");
            const bool whole = name == "bad_no_weight_map" || name == "bad_not_json";
            EXPECT_TRUE(whole || errors.find("'w") != std::string::npos ||
                        errors.find(".safetensors'") != std::string::npos)
                << errors;
            ++bad;
            continue;
        }
        ASSERT_EQ(allErrors(dump), "");
        ASSERT_EQ((*dump)->taps().size(), 3u);
        EXPECT_FALSE((*dump)->isShard());
        for (const auto& [tap, hash] : expected["sha256"].items())
            EXPECT_EQ(hashOf(**dump, *(*dump)->find(tap)), hash.get<std::string>());
        const auto& cautions = (*dump)->manifest().cautions;
        EXPECT_EQ(cautions.empty() ? "" : cautions[0].id, name == "lie_total_size"         ? "size-mismatch"
                                                          : name == "edge_unlisted_tensor" ? "unlisted-member"
                                                                                           : "");
        ++good;
        EXPECT_EQ((*openDump(entry.path()))->taps().size(), 3u); // the folder is the model
    }
    EXPECT_EQ(good, 4);
    EXPECT_EQ(bad, 7);
}

TEST(Sharded, AMissingShardLeavesTheOthersUsable) {
    const ScratchFolder folder;
    const std::vector<float> f = {1, 2};
    const std::vector<NamedTensor> one = {{"a", tensorOf<float>(DType::f32, {2}, f)}};
    ASSERT_TRUE(writeSafetensors(folder / "m-00001-of-00002.safetensors", one).ok());
    std::ofstream(folder / "m.safetensors.index.json")
        << R"({"weight_map": {"a": "m-00001-of-00002.safetensors", "b": "m-00002-of-00002.safetensors"}})";
    const auto dump = openDump(folder / "m.safetensors.index.json");
    ASSERT_TRUE(dump.ok());
    EXPECT_TRUE((*dump)->load(0).ok());
    EXPECT_EQ((*dump)->load(1).error().code, ErrorCode::notFound);
}

TEST(Sharded, NamesOfShardsAreNoPaths) {
    const ScratchFolder outside, folder;
    const std::vector<float> f = {1, 2};
    const std::vector<NamedTensor> one = {{"a", tensorOf<float>(DType::f32, {2}, f)}};
    ASSERT_TRUE(writeSafetensors(outside / "x.safetensors", one).ok());
    std::filesystem::create_symlink(outside / "x.safetensors", folder / "link.safetensors");
    for (const std::string& name : {(outside / "x.safetensors").string(), std::string("../x.safetensors"),
                                    std::string("link.safetensors"), std::string("."), std::string("")}) {
        std::ofstream(folder / "m.safetensors.index.json") << R"({"weight_map": {"a": ")" + name + R"("}})";
        const auto dump = openDump(folder / "m.safetensors.index.json");
        ASSERT_TRUE(dump.ok());
        EXPECT_EQ((*dump)->load(0).error().code, ErrorCode::refused) << name;
    }
}

} // namespace
} // namespace divdet::testing
