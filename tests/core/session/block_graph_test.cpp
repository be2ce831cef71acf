// From a request to the graph it means: layers, options, kinds of inputs, tensors from a file.
#include <filesystem>

#include <gtest/gtest.h>

#include "block/graph_json.h"
#include "block/presets.h"
#include "dump/write.h"
#include "host/twin_backend.h"
#include "scratch_folder.h"
#include "session/run_block.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

Tensor f32(Shape shape, std::vector<float> values) {
    return tensorOf<float>(DType::f32, std::move(shape), values);
}

class BlockGraph : public testing::Test {
protected:
    void write(const std::vector<NamedTensor>& tensors) { ASSERT_TRUE(writeNpz(m_file, tensors).ok()); }

    BlockRequest sums(std::int64_t tokens, std::int64_t k) {
        BlockRequest r;
        r.block = "reduction";
        r.dims = {{"tokens", tokens}, {"k", k}};
        r.inputFile = m_file.string();
        return r;
    }

    test::ScratchFolder m_folder;
    std::filesystem::path m_file = m_folder / "inputs.npz";
};

TEST_F(BlockGraph, LayersAreChosenLikeASize) {
    BlockRequest r;
    r.block = "stack";
    r.dims = {{"layers", 2}, {"tokens", 5}};
    const auto g = blockGraph(r);
    ASSERT_TRUE(g.ok()) << g.error().text();
    auto expected = *block::preset("stack:2");
    for (auto& d : expected.dims)
        if (d.name == "tokens") d.value = 5;
    EXPECT_TRUE(block::sameGraph(*g, expected));
    r.block = "stack:2"; // as a finished request says it
    EXPECT_TRUE(block::sameGraph(*blockGraph(r), expected));
    r.block = "stack:3";
    EXPECT_EQ(blockGraph(r).error().code, ErrorCode::usage);
    r.block = "mlp";
    EXPECT_EQ(blockGraph(r).error().code, ErrorCode::usage);
}

TEST_F(BlockGraph, OptionsAndKindsReachTheGraph) {
    BlockRequest r;
    r.norm = "layer";
    r.activation = "relu";
    r.inputs = "large-mean";
    const auto g = blockGraph(r);
    ASSERT_TRUE(g.ok());
    EXPECT_EQ(g->values[*g->find("x")].filling.kind, block::FillKind::largeMean);
    EXPECT_EQ(g->producer(*g->find("norm"))->kind, block::OpKind::layernorm);
    EXPECT_EQ(g->producer(*g->find("act"))->kind, block::OpKind::relu);
    r.inputs = "pink";
    EXPECT_NE(blockGraph(r).error().hint.find("near-cancel, file"), std::string::npos);
    r.inputs = "file";
    EXPECT_EQ(blockGraph(r).error().code, ErrorCode::usage);
}

TEST_F(BlockGraph, InputsComeFromAFileByName) {
    write({{"x", f32({2, 3}, {1, 2, 3, 4, 5, 6})}});
    auto backends = std::make_shared<run::BackendRegistry>();
    backends->add(std::make_shared<host::TwinBackend>());
    Session session(backends);
    const auto result = runBlock(session, sums(2, 3));
    ASSERT_TRUE(result.ok()) << result.error().text();
    const auto& pairs = (*result)->together->pairs;
    ASSERT_EQ(pairs.size(), 2u);
    EXPECT_EQ(pairs[1].load()->reference.as<float>()[1], 15);
}

TEST_F(BlockGraph, WholeNumbersAndShortFloatsAreTakenExactly) {
    const std::vector<std::int64_t> whole{1, -2, 1 << 24};
    write({{"x", tensorOf<std::int64_t>(DType::i64, {1, 3}, whole)}});
    const auto g = blockGraph(sums(1, 3));
    ASSERT_TRUE(g.ok()) << g.error().text();
    EXPECT_EQ(g->values[0].data->as<float>()[2], 16777216.0f);
    const std::vector<std::int64_t> large{(1 << 24) + 1};
    write({{"x", tensorOf<std::int64_t>(DType::i64, {1, 1}, large)}});
    EXPECT_EQ(blockGraph(sums(1, 1)).error().code, ErrorCode::mismatch);
    write({{"x", *converted(f32({1, 2}, {0.5f, 2}), DType::f16)}});
    EXPECT_EQ(blockGraph(sums(1, 2))->values[0].data->as<float>()[0], 0.5f);
}

TEST_F(BlockGraph, WhatDoesNotFitIsNamed) {
    write({{"x", f32({3, 2}, std::vector<float>(6))}});
    auto e = blockGraph(sums(2, 3)).error();
    EXPECT_EQ(e.code, ErrorCode::mismatch);
    EXPECT_EQ(e.path, "x");
    EXPECT_NE(e.message.find("[3, 2] where [2, 3]"), std::string::npos);
    write({{"y", f32({2, 3}, std::vector<float>(6))}});
    e = blockGraph(sums(2, 3)).error();
    EXPECT_EQ(e.code, ErrorCode::mismatch);
    EXPECT_NE(e.path.find(": y"), std::string::npos);
    EXPECT_NE(e.hint.find("x"), std::string::npos);
    const std::vector<double> wide(6, 0.1);
    write({{"x", tensorOf<double>(DType::f64, {2, 3}, wide)}});
    e = blockGraph(sums(2, 3)).error();
    EXPECT_NE(e.message.find("f64 where f32"), std::string::npos);
    BlockRequest missing;
    missing.inputs = "file";
    missing.inputFile = m_file.string();
    write({{"up.weight", f32({512, 2048}, std::vector<float>(512 * 2048))}});
    e = blockGraph(missing).error();
    EXPECT_NE(e.message.find("input x is missing"), std::string::npos);
    missing.inputs = "normal"; // then x is drawn
    EXPECT_TRUE(blockGraph(missing).ok());
    EXPECT_EQ(blockGraph(sums(1, 1)).error().code, ErrorCode::mismatch);
    std::filesystem::remove(m_file);
    EXPECT_EQ(blockGraph(sums(1, 1)).error().code, ErrorCode::notFound);
}

TEST_F(BlockGraph, AWrittenGraphRunsToTheSameBits) {
    auto backends = std::make_shared<run::BackendRegistry>();
    backends->add(std::make_shared<host::TwinBackend>());
    Session session(backends);
    BlockRequest r;
    r.block = "attention";
    r.dims = {{"tokens", 6}, {"width", 12}, {"heads", 3}};
    r.inputs = "outlier-channel";
    r.seed = 5;
    const auto file = m_file.string() + ".json";
    ASSERT_TRUE(block::writeGraph(*blockGraph(r), file).ok());
    BlockRequest again;
    again.block = "json:" + file;
    again.inputs = ""; // as the file has them
    again.seed = 5;
    const auto a = runBlock(session, r), b = runBlock(session, again);
    ASSERT_TRUE(b.ok()) << b.error().text();
    const Tensor x = (*a)->together->pairs.back().load()->reference,
                 y = (*b)->together->pairs.back().load()->reference;
    ASSERT_EQ(x.elements(), y.elements());
    for (std::int64_t i = 0; i < x.elements(); ++i)
        ASSERT_EQ(x.as<float>()[static_cast<std::size_t>(i)], y.as<float>()[static_cast<std::size_t>(i)]);
    std::filesystem::remove(file);
}

} // namespace
} // namespace divdet
