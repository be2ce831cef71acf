#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "../dump/torch_file.h"
#include "dump/write.h"
#include "report/json_comparison.h"
#include "session/compare_dumps.h"

namespace divdet::testing {
namespace {

const std::string kStorage = pt::floats({1, 2, 3, 4});

void writeTorch(const std::filesystem::path& path) {
    const auto window = [](std::int64_t offset) {
        return pt::tensor(pt::storage("FloatStorage", "0", 4), offset, {2}, {1});
    };
    const auto bytes =
        pt::file(pt::dict({{"embed", window(0)}, {"head", window(0)}, {"norm", window(2)}}), {kStorage});
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

TEST(Tied, AMissingNameWithATwinIsNoLostWeight) {
    const ScratchFolder folder;
    writeTorch(folder / "all.pt");
    const std::vector<float> one{1, 2};
    ASSERT_TRUE(writeSafetensors(folder / "head.safetensors",
                                 std::vector<NamedTensor>{{"head", tensorOf<float>(DType::f32, {2}, one)}})
                    .ok());
    for (const bool reversed : {false, true}) {
        CompareRequest request;
        request.reference = folder / (reversed ? "head.safetensors" : "all.pt");
        request.candidate = folder / (reversed ? "all.pt" : "head.safetensors");
        Session session(std::make_shared<run::BackendRegistry>());
        const auto result = compareDumps(session, request);
        ASSERT_TRUE(result.ok()) << result.error().text();
        const Comparison& c = *(*result)->comparison;
        EXPECT_EQ(c.tied, (std::vector<std::pair<std::string, std::string>>{{"embed", "head"}}));
        EXPECT_NE(std::find(c.cautions.begin(), c.cautions.end(), "tied"), c.cautions.end());
        EXPECT_EQ((reversed ? c.onlyInCandidate : c.onlyInReference),
                  (std::vector<std::string>{"embed", "norm"}));
        EXPECT_TRUE(c.missingJudged);
        const Json json = toJson(c, judge(c, (*result)->tolerance), JsonHead{});
        ASSERT_EQ(json["tensors"].size(), 3u);
        const std::string missing = reversed ? "missing-in-reference" : "missing-in-candidate";
        EXPECT_EQ(json["tensors"][1]["name"], "embed");
        EXPECT_EQ(json["tensors"][1]["tied_to"], "head");
        EXPECT_EQ(json["tensors"][1]["cautions"], (Json{missing, "tied"}));
        EXPECT_EQ(json["tensors"][1]["verdict"], "incomplete");
        EXPECT_EQ(json["tensors"][2]["cautions"], (Json{missing})) << "norm is really missing";
        EXPECT_FALSE(json["tensors"][2].contains("tied_to"));
    }
}

} // namespace
} // namespace divdet::testing
