// A run written as dumps is judged from its files as the run itself was.
#include <span>

#include "block/ops/support.h"
#include "effort.h"
#include "graph_run.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

using test::classes;
using test::find;
using test::finding;
using test::firstBadTap;

class GraphDumps : public test::GraphRuns {};

constexpr const char* kAllBlocks[] = {"mlp", "attention", "transformer", "stack:4", "lm"};
/// Under a sanitizer the first two: every path is in them.
const std::span<const char* const> kBlocks(kAllBlocks, test::effort<std::size_t>(std::size(kAllBlocks), 2));

/// Findings that name a cause, with the class they call it.
std::string causes(const TapPair& p) {
    std::string out;
    for (const Finding& f : p.findings)
        if (f.id == "beyond-bound" || f.id == "same-bits-as" || f.id == "missing-terms" ||
            f.id == "wrong-tiles")
            out += f.id + " ";
    return out;
}

TEST_F(GraphDumps, TellWhatTheRunItselfToldInItsOrder) {
    const std::vector<std::vector<std::string>> drifts{
        {}, {"tf32"}, {"int8"}, {"bf16"}, {"reassociate=splitk:8", "fuse"}};
    const std::vector<std::string> faults{"",
                                          "wrong-accumulator=bf16",
                                          "split-k-bf16",
                                          "dropped-tail=tile:24",
                                          "wrong-scale",
                                          "mask-off-by-one",
                                          "swapped-weight"};
    int bugs = 0;
    for (const char* block : kBlocks) {
        const BlockRequest base = small(block);
        const auto graph = *block::bind(*blockGraph(base));
        for (const auto& drift : drifts)
            for (const auto& fault : faults) {
                if (!fault.empty() && !lower::checkFit(graph, *lower::parsePass(fault))) continue;
                // Beside every fault one drift is enough for the larger blocks.
                if (!fault.empty() && std::string(block) != "mlp" && drift != drifts[2]) continue;
                auto passes = drift;
                if (!fault.empty()) passes.push_back(fault);
                SCOPED_TRACE(std::string(block) + " " + fault + " beside " +
                             (drift.empty() ? "none" : drift[0]));
                const auto live = run(base, passes);
                ASSERT_TRUE(live);
                const auto c = compared(withGraph());
                EXPECT_EQ(classes(*c), classes(*live->together));
                EXPECT_EQ(firstBadTap(*c), firstBadTap(*live->together));
                if (!live->together->firstBad) continue;
                ++bugs;
                const std::string op = firstBadTap(*c);
                EXPECT_EQ(causes(*find(*c, op)), causes(*find(*live->together, op)));
            }
    }
    EXPECT_GE(bugs, test::effort(20, 8));
}

TEST_F(GraphDumps, AreHonestToAForeignJudgeThatKnowsTheSteps) {
    const std::vector<std::pair<std::string, std::string>> drifts{{"", ""},
                                                                  {"reassociate=splitk:8", ""},
                                                                  {"tf32", "tf32"},
                                                                  {"int8", "int8"},
                                                                  {"int8", "tensorrt-int8"},
                                                                  {"bf16", "bf16"},
                                                                  {"bf16", ""},
                                                                  {"fp16", "fp16"},
                                                                  {"int4-weights", "int4-weights"},
                                                                  {"fuse", "fuse"}};
    for (const char* block : kBlocks)
        for (const auto& [pass, declare] : drifts) {
            SCOPED_TRACE(std::string(block) + " " + pass + " declared " + declare);
            ASSERT_TRUE(run(small(block), pass.empty() ? std::vector<std::string>{} : std::vector{pass}));
            forgetWhoMadeIt();
            const auto c = compared(withGraph(declare));
            EXPECT_EQ(firstBadTap(*c), "-") << classes(*c);
            int judged = 0;
            for (const TapPair& p : c->pairs) judged += p.bound.has_value();
            EXPECT_GE(judged, block == std::string("mlp") ? 3 : 8);
        }
}

TEST_F(GraphDumps, AreClearWhereWithoutAGraphTheyAreNot) {
    ASSERT_TRUE(run(small("stack:4"), {"int8"}));
    const auto without = compared(asked());
    EXPECT_EQ(overallClass(*without), PairClass::unclear);
    EXPECT_EQ(overallClass(*compared(withGraph())), PairClass::drift);
    forgetWhoMadeIt();
    EXPECT_EQ(overallClass(*compared(withGraph("int8"))), PairClass::drift);
    // Undeclared it is no arithmetic that fp32 may have.
    const auto undeclared = compared(withGraph());
    EXPECT_EQ(overallClass(*undeclared), PairClass::bug);
    EXPECT_NE(finding(*find(*undeclared, firstBadTap(*undeclared)), "beyond-bound"), nullptr);
}

TEST_F(GraphDumps, ShowFaultsToAForeignJudge) {
    const std::vector<std::array<std::string, 4>> cases{
        {"mlp", "bf16", "wrong-accumulator=bf16@down", "down"},
        {"mlp", "tf32", "dropped-tail=tile:24@up", "up"},
        {"stack:4", "int8", "wrong-scale@layer2.mlp.down", "layer2.mlp.down"},
        {"stack:4", "int8", "clip-calibration=weight@layer1.mlp.up", "layer1.mlp.up"},
        {"stack:4", "bf16", "mask-off-by-one@layer1.attn.masked", "layer1.attn.masked"},
        {"transformer", "tf32", "double-scale", "attn.scaled"}};
    for (const auto& [block, drift, fault, op] : cases) {
        SCOPED_TRACE(block + " " + fault);
        ASSERT_TRUE(run(small(block), {drift, fault}));
        forgetWhoMadeIt();
        const auto c = compared(withGraph(drift));
        EXPECT_EQ(firstBadTap(*c), op) << classes(*c);
        ASSERT_NE(find(*c, op), nullptr);
        EXPECT_EQ(find(*c, op)->pairClass, PairClass::bug);
        EXPECT_NE(finding(*find(*c, op), "beyond-bound"), nullptr);
        EXPECT_GT(find(*c, op)->bound->beyond, 0);
        for (const TapPair& p : c->pairs)
            EXPECT_TRUE(p.name == op || p.pairClass != PairClass::bug) << p.name;
    }
}

TEST_F(GraphDumps, KnowTheOrderWhereItIsDeclared) {
    // In any order an fp16 running sum over 64 terms may pass; in the order that divdet documents it does
    // not.
    const auto live = run(small("mlp"), {"tf32", "wrong-accumulator=fp16@up"});
    forgetWhoMadeIt();
    const auto ordered = compared(withGraph("tf32,divdet-order")), any = compared(withGraph("tf32"));
    EXPECT_EQ(classes(*ordered), classes(*live->together));
    EXPECT_EQ(find(*ordered, "up")->bound->beyond, find(*live->together, "up")->bound->beyond);
    EXPECT_LT(find(*any, "up")->bound->largest, find(*ordered, "up")->bound->largest);
}

TEST_F(GraphDumps, GiveZWhereInputsAreKnown) {
    ASSERT_TRUE(run(small("mlp"), {"tf32"}));
    const auto c = compared(withGraph());
    ASSERT_TRUE(find(*c, "down")->zRms.has_value());
    EXPECT_GT(*find(*c, "down")->zRms, 0.3);
    EXPECT_LT(*find(*c, "down")->zRms, 2);
    CompareRequest bare = withGraph();
    bare.knowledge.inputs.clear();
    EXPECT_FALSE(find(*compared(bare), "down")->zRms.has_value());
}

TEST_F(GraphDumps, WithoutWeightsJudgeWhatTheyCanAndSayWhy) {
    ASSERT_TRUE(run(small("stack:4"), {"int8"}));
    CompareRequest bare = withGraph();
    bare.knowledge.inputs.clear();
    const auto c = compared(bare);
    const TapPair& scores = *find(*c, "layer1.attn.scores");
    EXPECT_TRUE(scores.bound.has_value());
    EXPECT_EQ(scores.pairClass, PairClass::drift);
    const TapPair& up = *find(*c, "layer1.mlp.up");
    EXPECT_FALSE(up.bound.has_value());
    EXPECT_EQ(up.pairClass, PairClass::drift) << "the graph says that int8 was on";
    ASSERT_NE(finding(up, "not-judged"), nullptr);
    EXPECT_NE(finding(up, "not-judged")->text.find("weight layer1.mlp.up.weight is not there"),
              std::string::npos);
}

/// Only some taps of the run.
void keep(const std::filesystem::path& file, const run::Taps& taps, const std::vector<std::string>& names) {
    run::Taps some;
    for (const auto& t : taps.taps)
        if (std::count(names.begin(), names.end(), t.name)) some.taps.push_back(t);
    ASSERT_TRUE(saveTaps(some, file).ok());
}

TEST_F(GraphDumps, BridgeWhatWasNotRecorded) {
    for (const auto& [drift, fault] :
         std::vector<std::pair<std::string, std::string>>{{"bf16", ""},
                                                          {"fp16", ""},
                                                          {"tf32", ""},
                                                          {"bf16", "double-scale"},
                                                          {"bf16", "mask-off-by-one"}}) {
        SCOPED_TRACE(drift + " " + fault);
        std::vector<std::string> passes{drift};
        if (!fault.empty()) passes.push_back(fault);
        const auto live = run(small("attention"), passes);
        const std::vector<std::string> some{"x", "norm", "q", "k", "v", "probs", "merged", "proj"};
        keep(m_folder / "cand.safetensors", *live->candidate, some);
        keep(m_folder / "ref.safetensors", *live->reference, some);
        forgetWhoMadeIt();
        const auto c = compared(withGraph(drift));
        EXPECT_EQ(firstBadTap(*c), fault.empty() ? "-" : "probs") << classes(*c);
        const TapPair& probs = *find(*c, "probs");
        ASSERT_TRUE(probs.bound.has_value());
        const Finding* f = finding(probs, fault.empty() ? "within-bound" : "beyond-bound");
        ASSERT_NE(f, nullptr);
        EXPECT_NE(f->text.find("judged as one with"), std::string::npos) << f->text;
        EXPECT_NE(f->text.find("scores"), std::string::npos) << f->text;
    }
}

TEST_F(GraphDumps, SayWhenTooLittleWasRecorded) {
    const auto live = run(small("stack:4"), {"bf16"});
    keep(m_folder / "cand.safetensors", *live->candidate, {"tokens", "logits"});
    keep(m_folder / "ref.safetensors", *live->reference, {"tokens", "logits"});
    forgetWhoMadeIt();
    const auto c = compared(withGraph("bf16"));
    const TapPair& logits = *find(*c, "logits");
    EXPECT_FALSE(logits.bound.has_value());
    ASSERT_NE(finding(logits, "not-judged"), nullptr);
    EXPECT_NE(finding(logits, "not-judged")->text.find("too little before it was recorded"),
              std::string::npos)
        << finding(logits, "not-judged")->text;
}

TEST_F(GraphDumps, CallALikelyBoundByItsName) {
    BlockRequest r;
    r.block = "reduction";
    r.dims = {{"tokens", 64}, {"k", 16384}};
    r.eachAlone = false;
    ASSERT_TRUE(run(r, {}));
    forgetWhoMadeIt();
    EXPECT_EQ(firstBadTap(*compared(withGraph())), "-");
    const auto live = run(r, {"wrong-accumulator=fp16"});
    forgetWhoMadeIt();
    const auto c = compared(withGraph());
    const TapPair& sum = *find(*c, firstBadTap(*live->together));
    EXPECT_EQ(sum.pairClass, PairClass::bug);
    EXPECT_EQ(sum.bound->beyond, 0) << "no order is excluded";
    const Finding* f = finding(sum, "beyond-likely-bound");
    ASSERT_NE(f, nullptr) << classes(*c);
    EXPECT_NE(f->text.find("probabilistic"), std::string::npos);
}

/// Equal terms are rounded the same way again and again: honest, and beyond what roundings at random come to.
TEST_F(GraphDumps, CallNoBugWhatEqualTermsGive) {
    constexpr std::int64_t kTerms = 65536;
    const std::vector<float> values{0.1f, 0.3f, 0.7f, 1.1f};
    std::vector<float> x, y;
    for (const float v : values) {
        float sum = 0;
        for (std::int64_t i = 0; i < kTerms; ++i) x.push_back(v), sum += v;
        y.push_back(sum);
    }
    run::Taps taps;
    const auto rows = static_cast<std::int64_t>(values.size());
    taps.taps.push_back(
        {"x", "input", tensorOf<float>(DType::f32, {rows, kTerms}, std::span(std::as_const(x)))});
    taps.taps.push_back(
        {"y", "reduce_sum", tensorOf<float>(DType::f32, {rows}, std::span(std::as_const(y)))});
    block::Graph g;
    g.name = "sums";
    g.markOutput(g.addOp(block::OpKind::reduce_sum, "y", {g.addInput("x", {rows, kTerms})}));
    ASSERT_TRUE(block::writeGraph(g, m_folder / "graph.json").ok());
    ASSERT_TRUE(saveTaps(taps, m_folder / "cand.safetensors").ok());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = values[i] * kTerms;
    taps.taps[1].tensor = tensorOf<float>(DType::f32, {rows}, std::span(std::as_const(y)));
    ASSERT_TRUE(saveTaps(taps, m_folder / "ref.safetensors").ok());
    CompareRequest r = asked();
    r.knowledge.graph = m_folder / "graph.json";
    const auto c = compared(r);
    EXPECT_NE(finding(*find(*c, "y"), "beyond-likely-bound"), nullptr) << "else this shows nothing";
    EXPECT_EQ(find(*c, "y")->pairClass, PairClass::unclear);
}

/// The usual form of a linear layer, whose transposed weight no dump holds: its terms are looked at all the
/// same.
TEST_F(GraphDumps, CallNoBugWhatEqualTermsGiveThroughATransposedWeight) {
    constexpr std::int64_t kTerms = 65536;
    const std::vector<float> values{0.1f, 0.3f, 0.7f, 1.1f};
    const auto rows = static_cast<std::int64_t>(values.size());
    std::vector<float> x(kTerms, 1.0f), w, y;
    for (const float v : values) {
        float sum = 0;
        for (std::int64_t i = 0; i < kTerms; ++i) w.push_back(v), sum += v;
        y.push_back(sum);
    }
    const auto tensor = [](const Shape& shape, const std::vector<float>& numbers) {
        return tensorOf<float>(DType::f32, shape, std::span(numbers));
    };
    run::Taps taps;
    taps.taps.push_back({"x", "input", tensor({1, kTerms}, x)});
    taps.taps.push_back({"w", "input", tensor({rows, kTerms}, w)});
    ASSERT_TRUE(saveTaps(taps, m_folder / "inputs.safetensors").ok());
    block::Graph g;
    g.name = "linear";
    const auto a = g.addInput("x", {1, kTerms});
    const auto t = g.addOp(block::OpKind::transpose, "wt", {g.addWeight("w", {rows, kTerms}, {})});
    g.markOutput(g.addOp(block::OpKind::matmul, "y", {a, t}));
    ASSERT_TRUE(block::writeGraph(g, m_folder / "graph.json").ok());
    taps.taps[1] = {"y", "matmul", tensor({1, rows}, y)};
    ASSERT_TRUE(saveTaps(taps, m_folder / "cand.safetensors").ok());
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = values[i] * kTerms;
    taps.taps[1].tensor = tensor({1, rows}, y);
    ASSERT_TRUE(saveTaps(taps, m_folder / "ref.safetensors").ok());
    const auto c = compared(withGraph());
    EXPECT_NE(finding(*find(*c, "y"), "beyond-likely-bound"), nullptr) << "else this shows nothing";
    EXPECT_EQ(find(*c, "y")->pairClass, PairClass::unclear);
}

/// A graph is read on other machines: it names the arithmetic, not a card of the machine that wrote it.
TEST_F(GraphDumps, NameTheTwinAndNoCard) {
    ASSERT_TRUE(run(small("mlp"), {"tf32"}));
    auto g = *block::readGraph(m_folder / "graph.json");
    ASSERT_TRUE(g.made);
    EXPECT_TRUE(g.made->device.starts_with("cpu:sm_")) << g.made->device;
    for (const char* device : {"cuda:0", "cuda:0/cublas", "cpu:x"}) {
        g.made->device = device;
        ASSERT_TRUE(block::writeGraph(g, m_folder / "graph.json").ok());
        const auto c = compareDumps(session(), withGraph());
        ASSERT_FALSE(c.ok()) << device;
        EXPECT_NE(c.error().text().find("made.device"), std::string::npos) << c.error().text();
        EXPECT_NE(c.error().hint.find("cpu:sm_80"), std::string::npos);
    }
}

/// bf16 results that a file holds as f32 are bf16 still where one of them is NaN.
TEST_F(GraphDumps, KnowBf16InWiderFilesBesideANaN) {
    ASSERT_TRUE(run(small("mlp"), {"bf16"}));
    forgetWhoMadeIt();
    auto dump = *openDump(m_folder / "cand.safetensors");
    run::Taps wide;
    for (std::size_t i = 0; i < dump->taps().size(); ++i) {
        auto t = *dump->load(i);
        auto f32 = *converted(t, DType::f32);
        if (dump->taps()[i].name == "x") { // a row without a number: honest NaN in all that follows
            auto numbers = block::ops::doubles(f32);
            std::vector<float> floats(numbers.begin(), numbers.end());
            floats[0] = std::numeric_limits<float>::quiet_NaN();
            f32 = tensorOf<float>(DType::f32, f32.shape(), std::span(std::as_const(floats)));
        }
        wide.taps.push_back({dump->taps()[i].name, "op", std::move(f32)});
    }
    // What the NaN makes of its row, in every tap behind it.
    for (auto& tap : wide.taps) {
        if (tap.name == "x" || tap.tensor.shape().size() != 2 || tap.tensor.shape()[0] != 16) continue;
        auto numbers = block::ops::doubles(tap.tensor);
        std::vector<float> floats(numbers.begin(), numbers.end());
        std::fill_n(floats.begin(), tap.tensor.shape()[1], std::numeric_limits<float>::quiet_NaN());
        tap.tensor = tensorOf<float>(DType::f32, tap.tensor.shape(), std::span(std::as_const(floats)));
    }
    ASSERT_TRUE(saveTaps(wide, m_folder / "cand.safetensors").ok());
    const auto c = compared(withGraph("bf16"));
    for (const TapPair& p : c->pairs) EXPECT_EQ(finding(p, "beyond-bound"), nullptr) << p.name;
}

TEST_F(GraphDumps, AreFoundByTapNamesAndWithoutNoise) {
    const auto live = run(small("mlp"), {"tf32"});
    run::Taps renamed = *live->candidate;
    for (auto& t : renamed.taps) t.name = t.name == "up" ? "module.expand" : "module._orig_mod." + t.name;
    ASSERT_TRUE(saveTaps(renamed, m_folder / "cand.safetensors").ok());
    auto g = *block::readGraph(m_folder / "graph.json");
    g.values[*g.find("up")].tap = "expand";
    ASSERT_TRUE(block::writeGraph(g, m_folder / "graph.json").ok());
    CompareRequest r = withGraph();
    r.pairing.explicitPairs = {{"up", "module.expand"}};
    const auto c = compared(r);
    for (const char* name : {"norm", "up", "act", "down", "out"})
        EXPECT_TRUE(find(*c, name)->bound.has_value()) << name;
    EXPECT_EQ(firstBadTap(*c), "-");
}

} // namespace
} // namespace divdet
