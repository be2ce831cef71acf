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
        for (const DimDefault& d : g->dims)
            if (!d.fixed) odd[d.name] = 7;
        ASSERT_TRUE(block::bind(*g, odd).ok()) << info.id;
    }
    const auto unknown = preset("attention-deficit");
    EXPECT_EQ(unknown.error().code, ErrorCode::notFound);
    EXPECT_NE(unknown.error().hint.find("mlp"), std::string::npos);
}

TEST(Presets, OptionsChangeTheOpsOrAreRefused) {
    const auto kinds = [](const Graph& g) {
        std::vector<OpKind> all;
        for (const Op& op : g.ops) all.push_back(op.kind);
        return all;
    };
    const auto mlp = preset("mlp", {.norm = "layer", .activation = "silu"});
    ASSERT_TRUE(mlp.ok());
    EXPECT_EQ(kinds(*mlp), (std::vector<OpKind>{OpKind::layernorm, OpKind::matmul, OpKind::silu,
                                                OpKind::matmul, OpKind::add}));
    EXPECT_TRUE(sameGraph(*preset("mlp", {.norm = "rms", .activation = "gelu"}), *preset("mlp")));
    EXPECT_TRUE(sameGraph(*preset("stack:4"), *preset("stack")));
    EXPECT_TRUE(sameGraph(*preset("stack:3"), *preset("stack", {.layers = 3})));
    EXPECT_FALSE(sameGraph(*preset("stack:3"), *preset("stack:2")));
    for (const PresetInfo& info : presetList()) {
        EXPECT_EQ(preset(info.id, {.norm = "layer"}).ok(), info.options.norm) << info.id;
        EXPECT_EQ(preset(info.id, {.activation = "relu"}).ok(), info.options.activation) << info.id;
        EXPECT_EQ(preset(info.id, {.layers = 2}).ok(), info.options.layers) << info.id;
        if (!info.options.norm) continue;
        EXPECT_TRUE(bind(*preset(info.id, {.norm = "layer"})).ok()) << info.id;
        const auto wrong = preset(info.id, {.norm = "batch"});
        EXPECT_EQ(wrong.error().code, ErrorCode::usage);
        EXPECT_NE(wrong.error().hint.find("rms, layer"), std::string::npos);
    }
    EXPECT_EQ(preset("linear", {.norm = "rms"}).error().code, ErrorCode::usage);
    for (const char* id : {"stack:0", "stack:65", "stack:-1", "mlp:2"})
        EXPECT_EQ(preset(id).error().code, ErrorCode::usage) << id;
    for (const char* id : {"stack:", "stack:2x", "stack:99999999999999999999", "depth:2"})
        EXPECT_EQ(preset(id).error().code, ErrorCode::notFound) << id;
    EXPECT_EQ(preset("stack:2", {.layers = 3}).error().code, ErrorCode::usage);
    EXPECT_TRUE(preset("stack:2", {.layers = 2}).ok());
}

TEST(Presets, LayersAreStructureAndCannotBeBound) {
    const auto g = preset("stack:2");
    EXPECT_TRUE(bind(*g, {{"layers", 2}}).ok());
    EXPECT_EQ(bind(*g, {{"layers", 3}}).error().code, ErrorCode::usage);
}

TEST(Bind, DataWithMoreRowsGivesTheFirst) {
    Graph g;
    g.name = "rows";
    g.dims = {{"tokens", 3}};
    const auto x = g.addInput("x", {"tokens", 2});
    const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
    g.values[x].data = tensorOf<float>(DType::f32, {3, 2}, numbers);
    g.markOutput(g.addOp(OpKind::relu, "y", {x}));
    EXPECT_EQ(bind(g, {{"tokens", 2}}).error().code, ErrorCode::mismatch); // not unless it is allowed
    g.values[x].firstRows = true;
    const auto b = bind(g, {{"tokens", 2}});
    ASSERT_TRUE(b.ok());
    const auto kept = b->graph.values[x].data->as<float>();
    EXPECT_EQ(std::vector<float>(kept.begin(), kept.end()), (std::vector<float>{1, 2, 3, 4}));
    EXPECT_EQ(bind(g, {{"tokens", 4}}).error().code, ErrorCode::usage);
    EXPECT_NE(bind(g, {{"tokens", 4}}).error().hint.find("at most 3"), std::string::npos);
    EXPECT_FALSE(sameGraph(g, [&] {
        Graph other = g;
        other.values[x].firstRows = false;
        return other;
    }()));
}

TEST(Presets, HeadsMustDivideTheWidth) {
    const auto b = bind(*preset("attention"), {{"width", 60}, {"heads", 5}, {"tokens", 3}});
    ASSERT_TRUE(b.ok());
    EXPECT_EQ(b->shapes[*b->graph.find("q_heads")], (Shape{5, 3, 12}));
    EXPECT_EQ(b->shapes[*b->graph.find("k_t")], (Shape{5, 12, 3}));
    EXPECT_EQ(b->shapes[*b->graph.find("scores")], (Shape{5, 3, 3}));
    EXPECT_EQ(b->graph.ops[0].kind, OpKind::rmsnorm);
    const auto wrong = bind(*preset("attention"), {{"width", 60}, {"heads", 7}});
    EXPECT_EQ(wrong.error().code, ErrorCode::mismatch);
    EXPECT_EQ(wrong.error().path, "q_heads");
}

TEST(Graph, AttributesMayNameDimensions) {
    Graph g;
    g.name = "scaled";
    g.dims = {{"n", 4}};
    const auto x = g.addInput("x", {"n"});
    g.markOutput(g.addOp(OpKind::scale, "y", {x}, {{"rsqrt_of", "n"}}));
    EXPECT_EQ(std::get<std::int64_t>(bind(g, {{"n", 9}})->graph.ops[0].attributes.at("rsqrt_of")), 9);
    g.ops[0].attributes["rsqrt_of"] = "m";
    EXPECT_NE(g.validate().error().message.find("m, which is no dimension"), std::string::npos);
    g.ops[0] = {OpKind::causal_mask, {x}, 1, {{"offset", 0.5}}};
    EXPECT_NE(g.validate().error().message.find("no whole number"), std::string::npos);
    g.ops[0] = {OpKind::transpose, {x}, 1, {{"perm", std::int64_t{1}}}};
    EXPECT_NE(g.validate().error().message.find("no text"), std::string::npos);
}

TEST(Graph, DataMustHaveTheShapeOfItsDimensions) {
    Graph g = small();
    const std::vector<float> numbers(24, 2.0f);
    g.values[0].data = tensorOf<float>(DType::f32, {4, 6}, numbers);
    EXPECT_TRUE(bind(g).ok());
    const auto wrong = bind(g, {{"tokens", 5}});
    EXPECT_EQ(wrong.error().code, ErrorCode::mismatch);
    EXPECT_EQ(wrong.error().path, "x");
    Graph same = g;
    same.values[0].data = tensorOf<float>(DType::f32, {4, 6}, numbers);
    EXPECT_TRUE(sameGraph(g, same));
    EXPECT_FALSE(sameGraph(g, small()));
}

TEST(Graph, ConstantExtentsAreCheckedToo) {
    for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-3}, kMaxExtent + 1}) {
        Graph g = small();
        g.values[0].dims[0] = bad;
        EXPECT_EQ(bind(g).error().code, ErrorCode::usage) << bad;
    }
}

TEST(Graph, ComputedFromWeightsAlone) {
    Graph g;
    const auto x = g.addInput("x", {2, 2}), w = g.addWeight("w", {2, 2}, {});
    const auto t = g.addOp(OpKind::transpose, "t", {w}), y = g.addOp(OpKind::matmul, "y", {x, t});
    EXPECT_TRUE(g.fromWeights(w));
    EXPECT_TRUE(g.fromWeights(t));
    EXPECT_FALSE(g.fromWeights(x));
    EXPECT_FALSE(g.fromWeights(y));
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
