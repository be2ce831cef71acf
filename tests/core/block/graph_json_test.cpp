#include "block/graph_json.h"

#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "block/bind.h"
#include "block/open_block.h"
#include "scratch_folder.h"

namespace divdet::block {
namespace {

std::string where(std::string_view text) {
    const auto g = parseGraph(text);
    if (g.ok()) return "it parses";
    EXPECT_FALSE(g.error().message.empty());
    return std::string(toString(g.error().code)) + " " + g.error().path;
}

/// A valid document but for `steps`.
std::string withSteps(const std::string& steps) {
    return R"({"divdet_graph":1,"name":"g","dims":{"n":4},"steps":[)" + steps + "]}";
}

const char* const kInput = R"({"input":"x","dims":["n",3]})";
const char* const kRelu = R"({"op":"relu","name":"y","inputs":["x"],"output":true})";

TEST(GraphJson, IsReadableOneStatementALine) {
    EXPECT_EQ(
        graphText(*preset("linear")),
        "{\"divdet_graph\": 1,\n"
        " \"name\": \"linear\",\n"
        " \"dims\": {\"tokens\":64,\"width\":512,\"hidden\":512},\n"
        " \"steps\": [\n"
        "  {\"input\":\"x\",\"dims\":[\"tokens\",\"width\"]},\n"
        "  {\"weight\":\"out.weight\",\"dims\":[\"width\",\"hidden\"],\"sigma\":0.044,\"area\":262144.0,"
        "\"area_dims\":[\"width\",\"width\"]},\n"
        "  {\"weight\":\"out.bias\",\"dims\":[\"hidden\"],\"sigma\":0.1},\n"
        "  "
        "{\"op\":\"matmul\",\"name\":\"out\",\"inputs\":[\"x\",\"out.weight\",\"out.bias\"],\"output\":true}"
        "\n"
        " ]}\n");
}

TEST(GraphJson, PresetsComeBackAsTheyWere) {
    for (const PresetInfo& info : presetList()) {
        for (const char* norm : {"", "layer"}) {
            const auto g = *preset(info.id, {.norm = info.options.norm ? norm : ""});
            const auto back = parseGraph(graphText(g));
            ASSERT_TRUE(back.ok()) << info.id << ": " << back.error().text();
            EXPECT_TRUE(sameGraph(g, *back)) << info.id;
            EXPECT_EQ(graphText(*back), graphText(g));
        }
    }
}

TEST(GraphJson, KeepsDataBitForBit) {
    Graph g;
    g.name = "data";
    const std::vector<float> numbers{0.1f, -0.0f, 1e-45f, INFINITY, -INFINITY, NAN};
    const auto x = g.addInput("x", {2, 3});
    g.values[x].data = tensorOf<float>(DType::f32, {2, 3}, numbers);
    g.markOutput(g.addOp(OpKind::relu, "y", {x}));
    const auto back = parseGraph(graphText(g));
    ASSERT_TRUE(back.ok()) << back.error().text();
    EXPECT_TRUE(sameGraph(g, *back));
}

TEST(GraphJson, KeepsTapNamesAndWhoMadeIt) {
    Graph g = *preset("mlp");
    g.values[*g.find("up")].tap = "model.up_proj";
    g.values[*g.find("up.weight")].tap = "model.up_proj.weight";
    g.made = Made{"cpu:sm_90", {"tf32", "reassociate=splitk:8@up"}};
    const auto back = parseGraph(graphText(g));
    ASSERT_TRUE(back.ok()) << back.error().text();
    EXPECT_TRUE(sameGraph(g, *back));
    EXPECT_EQ(back->made, g.made);
    Graph other = g;
    other.values[*g.find("up")].tap.clear();
    EXPECT_FALSE(sameGraph(g, other));
    other = g;
    other.made.reset(); // what a run did is not the graph
    EXPECT_TRUE(sameGraph(g, other));
    const auto made = [](const std::string& text) {
        return where(R"({"divdet_graph":1,"name":"g","dims":{"n":4},"made":)" + text + R"(,"steps":[)" +
                     kInput + "," + kRelu + "]}");
    };
    EXPECT_EQ(made(R"({"device":"cpu:sm_80","passes":[]})"), "it parses");
    EXPECT_EQ(made(R"({"device":"cpu:sm_80"})"), "malformed made");
    EXPECT_EQ(made(R"({"device":7,"passes":[]})"), "malformed made.device");
    EXPECT_EQ(made(R"({"device":"cpu:sm_80","passes":[1]})"), "malformed made.passes[0]");
    EXPECT_EQ(made(R"({"device":"cpu:sm_80","passes":[],"by":"me"})"), "malformed made");
    EXPECT_EQ(where(withSteps(R"({"input":"x","dims":["n",3],"tap":3},)" + std::string(kRelu))),
              "malformed steps[0].tap");
}

/// Any graph of unary and binary ops on equal shapes, with any fillings, attributes and sizes.
Graph anyGraph() {
    const auto number = [] {
        return *rc::gen::suchThat(rc::gen::arbitrary<double>(), [](double x) { return std::isfinite(x); });
    };
    Graph g;
    g.name = "any \"graph\" \xC3\xA9";
    g.dims = {{"n", *rc::gen::inRange<std::int64_t>(1, kMaxExtent), *rc::gen::arbitrary<bool>()}, {"m", 7}};
    const auto filled = *rc::gen::inRange(1, 4);
    for (int i = 0; i < filled; ++i) {
        Filling f;
        f.kind = *rc::gen::elementOf(std::vector<FillKind>{FillKind::normal, FillKind::ones, FillKind::zeros,
                                                           FillKind::indices, FillKind::nearCancel});
        f.sigma = number();
        f.area = std::fabs(number());
        if (*rc::gen::arbitrary<bool>()) f.areaDims = {"m", 3, "n"};
        if (*rc::gen::arbitrary<bool>()) f.limit = "m";
        const std::string valueName = "in" + std::to_string(i);
        const auto at = *rc::gen::arbitrary<bool>() ? g.addInput(valueName, {"n", 3}, f)
                                                    : g.addWeight(valueName, {"n", 3}, f);
        if (*rc::gen::arbitrary<bool>())
            g.values[at].filling.stream = *rc::gen::inRange<std::uint64_t>(0, 99);
        g.values[at].output = *rc::gen::inRange(0, 5) == 0;
    }
    const auto ops = *rc::gen::inRange(1, 8);
    for (int i = 0; i < ops; ++i) {
        const auto pick = [&] { return *rc::gen::inRange<std::size_t>(0, g.values.size()); };
        const std::string opName = "op" + std::to_string(i);
        switch (*rc::gen::inRange(0, 4)) {
        case 0:
            g.addOp(OpKind::add, opName, {pick(), pick()});
            break;
        case 1:
            g.addOp(OpKind::scale, opName, {pick()}, {{"factor", number()}, {"rsqrt_of", "m"}});
            break;
        case 2:
            g.addOp(OpKind::causal_mask, opName, {pick()}, {{"offset", *rc::gen::arbitrary<std::int64_t>()}});
            break;
        default:
            g.addOp(OpKind::transpose, opName, {pick()}, {{"perm", "1,0"}});
        }
        if (*rc::gen::arbitrary<bool>()) g.values.back().output = true;
    }
    g.values.back().output = true;
    return g;
}

RC_GTEST_PROP(GraphJsonProperty, EveryGraphComesBack, ()) {
    const Graph g = anyGraph();
    RC_ASSERT(g.validate().ok());
    const auto back = parseGraph(graphText(g));
    RC_ASSERT(back.ok());
    RC_ASSERT(sameGraph(g, *back));
}

/// No byte that is changed, cut or doubled makes the parser fall; what it accepts is a valid graph.
RC_GTEST_PROP(GraphJsonProperty, DamagedTextsAreErrorsOrGraphs, ()) {
    std::string text = graphText(*preset("attention"));
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    switch (*rc::gen::inRange(0, 3)) {
    case 0:
        text[at] = static_cast<char>(*rc::gen::inRange(0, 256));
        break;
    case 1:
        text.resize(at);
        break;
    default:
        text.insert(at, text.substr(at, *rc::gen::inRange<std::size_t>(1, 40)));
    }
    const auto g = parseGraph(text);
    if (g.ok()) RC_ASSERT(g->validate().ok());
    if (!g.ok()) RC_ASSERT(!g.error().message.empty());
}

TEST(GraphJson, SaysWhereADocumentIsWrong) {
    const std::string x = std::string(kInput) + ",", y = std::string(",") + kRelu;
    EXPECT_EQ(where(withSteps(x + kRelu)), "it parses");
    const std::pair<std::string, std::string> cases[] = {
        {"", "malformed "},
        {"[]", "malformed "},
        {"{}", "malformed "},
        {R"({"divdet_graph":2})", "unsupported divdet_graph"},
        {R"({"divdet_graph":"1"})", "malformed divdet_graph"},
        {R"({"divdet_graph":1,"name":"g","steps":[],"step":[]})", "malformed "},
        {R"({"divdet_graph":1,"name":"g","dims":{"n":0},"steps":[]})", "malformed dims.n"},
        {R"({"divdet_graph":1,"name":"g","dims":{"n":1.5},"steps":[]})", "malformed dims.n"},
        {R"({"divdet_graph":1,"name":"g","dims":{"n":1,"n":2},"steps":[]})", "malformed n"},
        {R"({"divdet_graph":1,"name":"g","fixed":["m"],"dims":{},"steps":[]})", "malformed fixed[0]"},
        {R"({"divdet_graph":1,"name":"","steps":[]})", "malformed name"},
        {R"({"divdet_graph":1,"name":"g","steps":[]})", "malformed g"}, // no op
        {withSteps("7"), "malformed steps[0]"},
        {withSteps("{}"), "malformed steps[0]"},
        {withSteps(R"({"input":"x","dims":["m"]})" + y), "malformed x"},
        {withSteps(R"({"input":"x","dims":[0]})" + y), "malformed steps[0].dims[0]"},
        {withSteps(R"({"input":"x","dims":[1,1,1,1,1,1,1,1,1]})" + y), "malformed steps[0].dims"},
        {withSteps(R"({"input":"x","weight":"w","dims":[1]})" + y), "malformed steps[0]"},
        {withSteps(R"({"input":"x\n","dims":[1]})" + y), "malformed steps[0].input"},
        {withSteps(R"({"input":"x","dims":[1],"fill":"pink"})" + y), "malformed steps[0].fill"},
        {withSteps(R"({"input":"x","dims":[1],"sigma":"1"})" + y), "malformed steps[0].sigma"},
        {withSteps(R"({"input":"x","dims":[1],"stream":-1})" + y), "malformed steps[0].stream"},
        {withSteps(R"({"input":"x","dims":[1],"data":[1,2]})" + y), "malformed steps[0].data"},
        {withSteps(R"({"input":"x","dims":[1],"data":[0.1]})" + y), "malformed steps[0].data[0]"},
        {withSteps(R"({"input":"x","dims":[1],"data":["big"]})" + y), "malformed steps[0].data[0]"},
        {withSteps(R"({"input":"x","dims":[1],"sigma":1e999})" + y), "malformed "},
        {withSteps(x + R"({"op":"rely","name":"y","inputs":["x"],"output":true})"), "malformed steps[1].op"},
        {withSteps(x + R"({"op":"relu","name":"x","inputs":["x"],"output":true})"),
         "malformed steps[1].name"},
        {withSteps(x + R"({"op":"relu","name":"y","inputs":["z"],"output":true})"),
         "malformed steps[1].inputs[0]"},
        {withSteps(x + R"({"op":"relu","name":"y","inputs":[],"output":true})"), "malformed steps[1].inputs"},
        {withSteps(x + R"({"op":"relu","name":"y","inputs":["x"],"output":1})"), "malformed steps[1].output"},
        {withSteps(x + R"({"op":"relu","name":"y","inputs":["x"],"attributes":{"a":1},"output":true})"),
         "malformed y"},
        {withSteps(x +
                   R"({"op":"scale","name":"y","inputs":["x"],"attributes":{"factor":[]},"output":true})"),
         "malformed steps[1].attributes.factor"},
        {withSteps(x +
                   R"({"op":"scale","name":"y","inputs":["x"],"attributes":{"factor":"q"},"output":true})"),
         "malformed y"},
        {withSteps(x + R"({"op":"relu","name":"y","inputs":["x"]})"), "malformed g"}, // no output
    };
    for (const auto& [text, expected] : cases) EXPECT_EQ(where(text), expected) << text;
}

TEST(GraphJson, HintsAtTheOpThatWasMeant) {
    const auto g =
        parseGraph(withSteps(std::string(kInput) + R"(,{"op":"sofmax","name":"y","inputs":["x"]})"));
    ASSERT_FALSE(g.ok());
    EXPECT_EQ(g.error().hint, "did you mean softmax?");
}

TEST(GraphJson, NamesTheByteWhereJsonBreaks) {
    const auto g = parseGraph(R"({"divdet_graph":1,)");
    ASSERT_FALSE(g.ok());
    EXPECT_EQ(g.error().code, ErrorCode::malformed);
    ASSERT_TRUE(g.error().offset.has_value());
    EXPECT_NEAR(static_cast<double>(*g.error().offset), 18, 1);
}

TEST(GraphJson, HostileSizesAreRefused) {
    EXPECT_EQ(parseGraph(std::string(kMaxGraphText + 1, ' ')).error().code, ErrorCode::refused);
    EXPECT_EQ(parseGraph(std::string(1 << 20, '[')).error().code, ErrorCode::refused);
    std::string steps(kInput);
    for (std::size_t i = 0; i < kMaxSteps; ++i) steps += ",{}";
    EXPECT_EQ(parseGraph(withSteps(steps)).error().code, ErrorCode::refused);
    const std::string longName(kMaxNameLength + 1, 'x');
    EXPECT_EQ(where(withSteps(R"({"input":")" + longName + R"(","dims":[1]})")), "malformed steps[0].input");
    const auto huge =
        parseGraph(withSteps(R"({"input":"x","dims":[16777216,16777216]},)" + std::string(kRelu)));
    ASSERT_TRUE(huge.ok());
    EXPECT_EQ(bind(*huge).error().code, ErrorCode::refused);
}

TEST(GraphJson, FilesAreWrittenReadAndOpenedAsBlocks) {
    const test::ScratchFolder folder;
    const auto file = folder / "graph.json";
    const auto g = *preset("stack:2");
    ASSERT_TRUE(writeGraph(g, file).ok());
    EXPECT_TRUE(sameGraph(*readGraph(file), g));
    EXPECT_TRUE(sameGraph(*openBlock("json:" + file.string()), g));
    EXPECT_EQ(openBlock("json:" + file.string(), {.norm = "rms"}).error().code, ErrorCode::usage);
    EXPECT_EQ(openBlock("json:").error().code, ErrorCode::usage);
    std::ofstream(file) << R"({"divdet_graph":1,"name":7})";
    EXPECT_EQ(readGraph(file).error().path, file.string() + ": name");
    std::filesystem::remove(file);
    EXPECT_EQ(readGraph(file).error().code, ErrorCode::notFound);
    EXPECT_TRUE(sameGraph(*openBlock("mlp"), *preset("mlp")));
}

} // namespace
} // namespace divdet::block
