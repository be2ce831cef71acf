// A block that would eat the machine is refused before anything is drawn, whichever way it comes in. Its
// values stay below every limit for one dimension: an outer product of two small vectors.
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dump/write.h"
#include "scratch_folder.h"
#include "session/advise/advise.h"
#include "session/compare_dumps.h"
#include "session/determinism/lab.h"
#include "session/hunt/hunt_block.h"
#include "session/lists.h"
#include "session/sane/sane_tolerance.h"
#include "small_repro.h"

namespace divdet {
namespace {

using Json = nlohmann::json;

/// y = x w with x [n, 1] and w [1, n]: 76 n² + 80 n bytes, of which 2^33 are allowed (block/run_bytes.h).
constexpr int kFits = 10'630, kTooLarge = 40'000;

Json outerProduct(int n) {
    return {{"divdet_graph", 1},
            {"name", "outer"},
            {"dims", {{"n", n}}},
            {"steps",
             {{{"input", "x"}, {"dims", {"n", 1}}},
              {{"weight", "w"}, {"dims", {1, "n"}}},
              {{"op", "matmul"}, {"name", "y"}, {"inputs", {"x", "w"}}, {"output", true}}}}};
}

class HugeBlocks : public testing::Test {
protected:
    /// As a block of the command line.
    BlockRequest request(int n = kTooLarge) {
        const auto file = m_folder / "outer.json";
        std::ofstream(file) << outerProduct(n).dump();
        BlockRequest r;
        r.block = "json:" + file.string();
        r.passes = {*lower::parsePass("wrong-accumulator=bf16")};
        return r;
    }

    template <class T>
    void expectRefused(const Result<T>& r) {
        ASSERT_FALSE(r.ok());
        EXPECT_EQ(r.error().code, ErrorCode::refused) << r.error().text();
        // 76 · 40000² + 80 · 40000 bytes
        EXPECT_NE(r.error().message.find("would hold 113 GiB at once, and at most 8 GiB"), std::string::npos)
            << r.error().text();
        EXPECT_NE(r.error().hint.find(
                      "make n smaller, or allow more (DIVDET_MAX_GIB); the most is for y [40000, 40000]"),
                  std::string::npos)
            << r.error().text();
    }

    test::ScratchFolder m_folder;
};

TEST_F(HugeBlocks, OnesJustBelowPassTheCheck) {
    EXPECT_TRUE(blockGraph(request(kFits)).ok());
    EXPECT_EQ(blockGraph(request(kFits + 1)).error().code, ErrorCode::refused);
}

TEST_F(HugeBlocks, EveryVerbOnABlockRefusesThem) {
    Session& session = test::twinSession();
    expectRefused(runBlock(session, request()));
    expectRefused(huntBlock(session, {request(), Over::passes, {}, {}}));
    expectRefused(minifyBlock(session, {request(), {}, {}}));
    expectRefused(runSaneRuns(session, request()));
    LabRequest lab;
    lab.block = request();
    lab.block.passes.clear();
    expectRefused(runLab(session, lab));
    AdviseRequest advice;
    advice.op = request().block;
    advice.sizes = {{"n", kTooLarge}};
    expectRefused(advise(session, advice));
    expectRefused(writeBlockGraph(session, request(), m_folder / "out.json"));
    expectRefused(writeBlockInputs(session, request(), m_folder / "out.npz"));
}

TEST_F(HugeBlocks, ASizeOnTheCommandLineIsCheckedToo) {
    BlockRequest r = request(8);
    ASSERT_TRUE(runBlock(test::twinSession(), r).ok());
    r.dims["n"] = kTooLarge;
    expectRefused(runBlock(test::twinSession(), r));
    BlockRequest stack;
    stack.block = "stack:64";
    EXPECT_TRUE(blockGraph(stack).ok());
    stack.dims = {{"width", 4096}, {"hidden", 16384}};
    EXPECT_EQ(blockGraph(stack).error().code, ErrorCode::refused);
}

TEST_F(HugeBlocks, AReproRefusesThem) {
    Json j = Json::parse(reproText(test::smallRepro()));
    j["graph"] = outerProduct(kTooLarge);
    expectRefused(parseRepro(j.dump(), m_folder.path()));
    // Just below, the check for bytes passes; the next one wants numbers.
    j["graph"] = outerProduct(kFits);
    const auto fits = parseRepro(j.dump(), m_folder.path());
    ASSERT_FALSE(fits.ok());
    EXPECT_EQ(fits.error().code, ErrorCode::malformed);
    EXPECT_NE(fits.error().message.find("has no numbers"), std::string::npos) << fits.error().text();
}

TEST_F(HugeBlocks, AGraphBesideDumpsRefusesThem) {
    const std::vector<float> y{1, 2, 3, 4};
    const Tensor t = tensorOf<float>(DType::f32, {2, 2}, std::span(y));
    for (const char* file : {"a.npz", "b.npz"})
        ASSERT_TRUE(writeNpz(m_folder / file, std::vector<NamedTensor>{{"y", t}}).ok());
    CompareRequest r;
    r.reference = m_folder / "a.npz";
    r.candidate = m_folder / "b.npz";
    request();
    r.knowledge.graph = m_folder / "outer.json";
    expectRefused(compareDumps(test::twinSession(), r));
}

/// A file with a hole has any size and takes no room on the disk.
TEST_F(HugeBlocks, AFileOfInputsIsRefusedByItsHeader) {
    const auto holed = [&](std::int64_t rows) {
        const auto file = m_folder / "x.npy";
        const std::vector<float> one{0};
        EXPECT_TRUE(writeNpy(file, tensorOf<float>(DType::f32, {1}, std::span(one))).ok());
        std::string bytes(128, '\0');
        std::ifstream(file, std::ios::binary).read(bytes.data(), 128);
        const std::string shape = "'shape': (" + std::to_string(rows) + ",), }";
        const auto at = bytes.find("'shape'");
        bytes.replace(at, bytes.size() - at - 1,
                      shape + std::string(bytes.size() - at - 1 - shape.size(), ' '));
        std::ofstream(file, std::ios::binary) << bytes;
        std::filesystem::resize_file(file, 128 + 4 * static_cast<std::uintmax_t>(rows));
        BlockRequest r = request(8);
        r.inputFile = file.string();
        return blockGraph(r);
    };
    // 16 bytes a number: 2^29 of them are allowed. The name of the tap is that of the file.
    const auto above = holed((std::int64_t{1} << 29) + 1);
    ASSERT_FALSE(above.ok());
    EXPECT_EQ(above.error().code, ErrorCode::refused) << above.error().text();
    EXPECT_NE(above.error().message.find("8 GiB"), std::string::npos) << above.error().text();
    const auto below = holed(1 << 10); // its shape does not fit this block, which is another error
    ASSERT_FALSE(below.ok());
    EXPECT_EQ(below.error().code, ErrorCode::mismatch) << below.error().text();
}

} // namespace
} // namespace divdet
