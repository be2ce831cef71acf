#include "session/compare_dumps.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "dump/write.h"
#include "report/json_comparison.h"
#include "run/registry.h"
#include "scratch_folder.h"

namespace divdet {
namespace {

class ShapeOptionsTest : public ::testing::Test {
protected:
    NamedTensor tensor(const std::string& name, Shape shape) {
        std::vector<float> values(static_cast<std::size_t>(*elementCount(shape)));
        for (float& v : values) v = m_next++;
        return {name, tensorOf<float>(DType::f32, std::move(shape), std::span<const float>(values))};
    }
    std::filesystem::path save(const std::string& name, const std::vector<NamedTensor>& tensors) {
        EXPECT_TRUE(writeNpz(m_folder / name, tensors).ok());
        return m_folder / name;
    }
    std::shared_ptr<const CompareResult> compare(const ShapeOptions& shapes) {
        CompareRequest request;
        request.reference = m_folder / "r.npz";
        request.candidate = m_folder / "c.npz";
        request.shapes = shapes;
        Session session(std::make_shared<run::BackendRegistry>());
        auto result = compareDumps(session, request);
        EXPECT_TRUE(result.ok()) << result.error().text();
        return result ? *result : nullptr;
    }
    Verdict verdict(const CompareResult& r) { return judge(*r.comparison, r.tolerance).verdict; }
    void restart() { m_next = 1; }

private:
    test::ScratchFolder m_folder;
    float m_next = 1;
};

TEST_F(ShapeOptionsTest, ReshapeOnlyWhenAsked) {
    save("r.npz", {tensor("y", {2, 3, 4})});
    restart();
    save("c.npz", {tensor("y", {6, 4})});
    const auto without = compare({});
    EXPECT_EQ(verdict(*without), Verdict::incomparable);
    EXPECT_NE(without->comparison->pairs[0].problem->hint.find("--reshape"), std::string::npos);
    EXPECT_EQ(without->comparison->pairs[0].transform, "");
    const auto with = compare({.reshape = true});
    EXPECT_EQ(verdict(*with), Verdict::within);
    EXPECT_EQ(with->comparison->pairs[0].transform, "reshape");
    EXPECT_NE(with->comparison->notes.at(0).find("reshape"), std::string::npos);
}

TEST_F(ShapeOptionsTest, Transpose) {
    save("r.npz", {tensor("w", {1, 3})});
    restart();
    save("c.npz", {tensor("w", {3, 1})});
    const auto with = compare({.transpose = {"w"}});
    EXPECT_EQ(verdict(*with), Verdict::within);
    EXPECT_EQ(with->comparison->pairs[0].transform, "transpose");
}

TEST_F(ShapeOptionsTest, TransposeIsOffered) {
    save("r.npz", {tensor("w", {2, 3})});
    save("c.npz", {tensor("w", {3, 2})});
    EXPECT_NE(compare({})->comparison->pairs[0].problem->hint.find("--transpose"), std::string::npos);
}

TEST_F(ShapeOptionsTest, AFusedTapAgainstItsParts) {
    save("r.npz", {tensor("qkv", {6, 2})});
    restart();
    save("c.npz", {tensor("q", {2, 2}), tensor("k", {2, 2}), tensor("v", {2, 2})});
    const auto without = compare({});
    EXPECT_EQ(verdict(*without), Verdict::incomplete);
    ASSERT_FALSE(without->comparison->notes.empty());
    EXPECT_NE(without->comparison->notes.back().find("--split qkv=q,k,v"), std::string::npos);
    const auto with = compare({.splits = {{{"qkv"}, {"q", "k", "v"}}}});
    EXPECT_EQ(verdict(*with), Verdict::within);
    ASSERT_EQ(with->comparison->pairs.size(), 3u);
    EXPECT_EQ(with->comparison->pairs[1].name, "qkv[2:4]");
    EXPECT_EQ(with->comparison->pairs[1].candidateName, "k");
    EXPECT_EQ(with->comparison->pairs[1].transform, "split");
}

TEST_F(ShapeOptionsTest, PartsAgainstAFusedTap) {
    save("r.npz", {tensor("gate", {2, 1}), tensor("up", {2, 1})});
    restart();
    save("c.npz", {tensor("gate_up", {4, 1})});
    const auto with = compare({.splits = {{{"gate", "up"}, {"gate_up"}}}});
    EXPECT_EQ(verdict(*with), Verdict::within);
    EXPECT_EQ(with->comparison->pairs[1].candidateName, "gate_up[2:4]");
}

TEST_F(ShapeOptionsTest, JsonNamesTheTransform) {
    save("r.npz", {tensor("y", {2, 2}), tensor("z", {1})});
    restart();
    save("c.npz", {tensor("y", {4}), tensor("z", {1})});
    const auto r = compare({.reshape = true});
    const auto json = toJson(*r->comparison, judge(*r->comparison, r->tolerance), {"compare", "", 1, 0});
    EXPECT_EQ(json["tensors"][0]["transform"], "reshape");
    EXPECT_TRUE(json["tensors"][1]["transform"].is_null());
}

} // namespace
} // namespace divdet
