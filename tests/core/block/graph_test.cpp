#include <gtest/gtest.h>

#include "block/bind.h"
#include "block/presets.h"

namespace divdet::block {
namespace {

Graph small() {
    Graph g;
    g.name = "small";
    g.dims = {{"tokens", 4}, {"width", 6}};
    const auto x = g.addInput("x", {"tokens", "width"});
    const auto w = g.addWeight("w", {"width", 3}, {FillKind::normal, 0.5});
    g.markOutput(g.addOp(OpKind::matmul, "y", {x, w}));
    return g;
}

TEST(Graph, BindsDefaultsAndOverrides) {
    const auto plain = bind(small());
    ASSERT_TRUE(plain.ok()) << plain.error().text();
    EXPECT_EQ(plain->shapes[2], (Shape{4, 3}));
    const auto wide = bind(small(), {{"tokens", 9}});
    ASSERT_TRUE(wide.ok());
    EXPECT_EQ(wide->shapes[0], (Shape{9, 6}));
    EXPECT_EQ(wide->shapes[2], (Shape{9, 3}));
    EXPECT_EQ(wide->dims.at("width"), 6);
}

TEST(Graph, RefusesSizesThatMakeNoSense) {
    EXPECT_EQ(bind(small(), {{"tokens", 0}}).error().code, ErrorCode::usage);
    EXPECT_EQ(bind(small(), {{"tokens", -5}}).error().code, ErrorCode::usage);
    EXPECT_EQ(bind(small(), {{"tokens", kMaxExtent + 1}}).error().code, ErrorCode::usage);
    const auto unknown = bind(small(), {{"depth", 3}});
    ASSERT_FALSE(unknown.ok());
    EXPECT_EQ(unknown.error().code, ErrorCode::usage);
    EXPECT_EQ(unknown.error().hint, "it has tokens, width");
    EXPECT_EQ(bind(small(), {{"tokens", 1 << 20}, {"width", 1 << 20}}).error().code, ErrorCode::refused);
}

TEST(Graph, SaysWhichShapesDisagree) {
    Graph g = small();
    const auto v = g.addWeight("v", {5, 2}, {});
    g.markOutput(g.addOp(OpKind::matmul, "z", {2, v}));
    const auto bound = bind(g);
    ASSERT_FALSE(bound.ok());
    EXPECT_EQ(bound.error().code, ErrorCode::mismatch);
    EXPECT_EQ(bound.error().path, "z");
    EXPECT_NE(bound.error().message.find("[4, 3], [5, 2]"), std::string::npos);
}

TEST(Graph, ValidationFindsBrokenGraphs) {
    const auto codeOf = [](const Graph& g) { return g.validate().ok() ? "" : g.validate().error().message; };
    EXPECT_EQ(codeOf(small()), "");
    Graph twice = small();
    twice.addWeight("x", {3}, {});
    EXPECT_NE(codeOf(twice).find("one name"), std::string::npos);
    Graph noOutput = small();
    noOutput.values[2].output = false;
    EXPECT_NE(codeOf(noOutput).find("no output"), std::string::npos);
    Graph early = small();
    early.ops[0].inputs[0] = 2;
    EXPECT_NE(codeOf(early).find("before it is computed"), std::string::npos);
    Graph symbol = small();
    symbol.values[0].dims[0] = Dim("rows");
    EXPECT_NE(codeOf(symbol).find("rows"), std::string::npos);
    Graph arity = small();
    arity.ops[0].inputs.pop_back();
    EXPECT_NE(codeOf(arity).find("inputs"), std::string::npos);
    Graph attribute = small();
    attribute.ops[0].attributes["slope"] = 1.0;
    EXPECT_NE(codeOf(attribute).find("slope"), std::string::npos);
    EXPECT_NE(codeOf(Graph{}).find("no op"), std::string::npos);
}

TEST(Presets, AreValidAtDefaultAndOtherSizes) {
    for (const PresetInfo& info : presetList()) {
        const auto g = preset(info.id);
        ASSERT_TRUE(g.ok());
        EXPECT_EQ(g->name, info.id);
        ASSERT_TRUE(block::bind(*g).ok()) << info.id;
        DimValues odd;
        for (const DimDefault& d : g->dims) odd[d.name] = 7;
        ASSERT_TRUE(block::bind(*g, odd).ok()) << info.id;
    }
    const auto unknown = preset("attention-deficit");
    EXPECT_EQ(unknown.error().code, ErrorCode::notFound);
    EXPECT_NE(unknown.error().hint.find("mlp"), std::string::npos);
}

TEST(Presets, MlpIsTheDefaultAndAsPublished) {
    EXPECT_EQ(presetList().front().id, "mlp");
    const auto b = bind(*preset("mlp"));
    EXPECT_EQ(b->graph.taps(), (std::vector<std::string>{"x", "norm", "up", "act", "down", "out"}));
    EXPECT_EQ(b->graph.outputs(), std::vector<std::string>{"out"});
    EXPECT_EQ(b->shapes[*b->graph.find("out")], (Shape{64, 512}));
    EXPECT_EQ(b->shapes[*b->graph.find("up")], (Shape{64, 2048}));
    EXPECT_DOUBLE_EQ(b->sigma[*b->graph.find("up.weight")], 0.005);
    EXPECT_DOUBLE_EQ(b->sigma[*b->graph.find("x")], 1);
}

TEST(Presets, WeightsGrowAsTheBlockShrinks) {
    const auto b = bind(*preset("mlp"), {{"width", 128}, {"hidden", 512}});
    EXPECT_DOUBLE_EQ(b->sigma[*b->graph.find("down.weight")],
                     0.01); // 16 times fewer weights: twice the sigma
}

TEST(Presets, StreamsDiffer) {
    const auto g = preset("mlp");
    std::vector<std::uint64_t> streams;
    for (const Value& v : g->values)
        if (v.role != Role::intermediate) streams.push_back(v.filling.stream);
    EXPECT_EQ(streams, (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

TEST(InputKinds, NamesGoBothWays) {
    for (const auto text : inputKinds()) EXPECT_EQ(name(*parseInputKind(text)), text);
    EXPECT_FALSE(parseInputKind("ones").has_value());
    EXPECT_FALSE(parseInputKind("Normal").has_value());
}

} // namespace
} // namespace divdet::block
