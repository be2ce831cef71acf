// Real torch dumps with the graph of their model. Its weights need torch to be drawn, so they are not here:
// what is judged are the ops between recorded taps, which are most of attention and the residual additions.
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "graph_run.h"
#include "shared_data.h"

namespace divdet {
namespace {

using test::classes;
using test::find;
using test::finding;
using test::firstBadTap;

const std::filesystem::path kDumps = "data/torch/dumps";
constexpr int kLayers = 4;

std::string op(const std::string& kind, const std::string& name, const std::string& inputs,
               const std::string& more = "") {
    return fmt::format(R"({{"op":"{}","name":"{}","inputs":[{}]{}}})", kind, name, inputs, more);
}

/// `a, b` as JSON texts.
std::string names(std::initializer_list<std::string> list) {
    std::string out;
    for (const auto& n : list) out += (out.empty() ? "\"" : ",\"") + n + "\"";
    return out;
}

/// The model that make.py beside the dumps writes down, weights as torch keeps them.
std::string graphText() {
    std::vector<std::string> s{R"({"input":"embed","dims":["t","d"]})"};
    const auto weight = [&](const std::string& name, const std::string& dims) {
        s.push_back(fmt::format(R"({{"weight":"{}","dims":[{}]}})", name, dims));
    };
    const auto linear = [&](const std::string& x, const std::string& w, const std::string& y,
                            const std::string& dims) {
        weight(w, dims);
        s.push_back(op("transpose", w + ".t", names({w})));
        s.push_back(op("matmul", y, names({x, w + ".t"})));
    };
    std::string x = "embed";
    for (int i = 0; i < kLayers; ++i) {
        const std::string n = fmt::format("layers.{}.", i), a = n + "attn.", m = n + "mlp.";
        weight(n + "norm1", R"("d")");
        s.push_back(op("rmsnorm", a + "norm", names({x, n + "norm1"}), R"(,"attributes":{"eps":1e-5})"));
        for (const char* c : {"q", "k", "v"}) {
            linear(a + "norm", n + c, a + c, R"("d","d")");
            s.push_back(op("split_heads", a + c + "_heads", names({a + c}), R"(,"attributes":{"heads":4})"));
        }
        s.push_back(op("transpose", a + "k_t", names({a + "k_heads"})));
        s.push_back(op("matmul", a + "scores", names({a + "q_heads", a + "k_t"})));
        s.push_back(op("scale", a + "scaled", names({a + "scores"}), R"(,"attributes":{"rsqrt_of":32})"));
        s.push_back(op("causal_mask", a + "masked", names({a + "scaled"})));
        s.push_back(op("softmax", a + "probs", names({a + "masked"})));
        s.push_back(op("matmul", a + "mixed", names({a + "probs", a + "v_heads"})));
        s.push_back(op("merge_heads", a + "context", names({a + "mixed"})));
        linear(a + "context", n + "o", a + "proj", R"("d","d")");
        s.push_back(op("add", a + "out", names({x, a + "proj"})));
        weight(n + "norm2", R"("d")");
        s.push_back(
            op("rmsnorm", m + "norm", names({a + "out", n + "norm2"}), R"(,"attributes":{"eps":1e-5})"));
        linear(m + "norm", n + "gate", m + "gate", R"("f","d")");
        linear(m + "norm", n + "up", m + "up", R"("f","d")");
        s.push_back(op("silu", m + "gated", names({m + "gate"})));
        s.push_back(op("mul", m + "act", names({m + "gated", m + "up"})));
        linear(m + "act", n + "down", m + "down", R"("d","f")");
        s.push_back(op("add", m + "out", names({a + "out", m + "down"})));
        x = m + "out";
    }
    weight("final_norm.weight", R"("d")");
    s.push_back(
        op("rmsnorm", "final_norm", names({x, "final_norm.weight"}), R"(,"attributes":{"eps":1e-5})"));
    weight("head", R"("v","d")");
    s.push_back(op("transpose", "head.t", names({"head"})));
    s.push_back(op("matmul", "logits", names({"final_norm", "head.t"}), R"(,"output":true)"));
    return fmt::format(
        R"({{"divdet_graph":1,"name":"torch-lm","dims":{{"t":48,"d":128,"f":512,"v":512}},"steps":[{}]}})",
        fmt::join(s, ",\n"));
}

class TorchGraph : public test::GraphRuns {
protected:
    std::shared_ptr<const Comparison> judged(const std::string& candidate, const std::string& declare) {
        std::ofstream(m_folder / "graph.json") << graphText();
        CompareRequest r = asked(declare);
        r.reference = sharedPath(kDumps / "ref_fp64.safetensors");
        r.candidate = sharedPath(kDumps / (candidate + ".safetensors"));
        r.knowledge.graph = m_folder / "graph.json";
        return compared(r);
    }
};

const std::pair<const char*, const char*> kHonest[] = {
    {"eager_fp32", ""},     {"compiled_fp32", ""},
    {"eager_bf16", "bf16"}, {"compiled_bf16", "torch-inductor-bf16"},
    {"eager_fp16", "fp16"}, {"int8_dynamic_fp32", "int8"}};

/// Ops of a layer whose inputs and output are all taps, or lead to taps.
const char* const kJudged[] = {"attn.probs", "attn.context", "mlp.out"};

TEST_F(TorchGraph, FindsNothingBeyondInHonestFiles) {
    DIVDET_NEEDS_SHARED(kDumps / "ref_fp64.safetensors");
    for (const auto& [file, declare] : kHonest) {
        SCOPED_TRACE(file);
        const auto c = judged(file, declare);
        int ops = 0;
        for (const TapPair& p : c->pairs) {
            if (!p.bound) continue;
            ++ops;
            EXPECT_EQ(p.bound->beyond, 0) << p.name;
            EXPECT_LT(p.bound->largest, 1) << p.name;
            EXPECT_NE(p.pairClass, PairClass::bug) << p.name;
            RecordProperty(std::string(file) + "_" + p.name, std::to_string(p.bound->largest));
        }
        EXPECT_EQ(ops, kLayers * 3);
        for (int i = 0; i < kLayers; ++i)
            for (const char* role : kJudged)
                EXPECT_TRUE(find(*c, fmt::format("layers.{}.{}", i, role))->bound.has_value()) << role;
        const TapPair& q = *find(*c, "layers.0.attn.q");
        ASSERT_NE(finding(q, "not-judged"), nullptr);
        EXPECT_NE(finding(q, "not-judged")->text.find("layers.0.q is not there"), std::string::npos);
        EXPECT_EQ(firstBadTap(*c), "-") << classes(*c);
    }
}

TEST_F(TorchGraph, BlamesTheOpThatMasksWrongly) {
    DIVDET_NEEDS_SHARED(kDumps / "bug_mask_off_by_one.safetensors");
    const auto c = judged("bug_mask_off_by_one", "");
    EXPECT_EQ(firstBadTap(*c), "layers.0.attn.probs");
    const TapPair& probs = *find(*c, "layers.0.attn.probs");
    EXPECT_EQ(probs.pairClass, PairClass::bug);
    const Finding* f = finding(probs, "beyond-bound");
    ASSERT_NE(f, nullptr);
    EXPECT_NE(f->text.find("layers.0.attn.scores"), std::string::npos) << f->text;
    // Half of the elements, as the prototype has it.
    EXPECT_NEAR(static_cast<double>(probs.bound->beyond) / static_cast<double>(probs.bound->elements), 0.51,
                0.02);
    // What reads the wrong shares adds them rightly.
    EXPECT_EQ(find(*c, "layers.0.attn.context")->bound->beyond, 0);
    EXPECT_EQ(find(*c, "layers.0.attn.context")->pairClass, PairClass::inherited);
    for (int i = 1; i < kLayers; ++i) // the same mistake in every layer
        EXPECT_EQ(find(*c, fmt::format("layers.{}.attn.probs", i))->pairClass, PairClass::bug);
}

TEST_F(TorchGraph, LeavesFaultsInUnjudgedOpsToTheRulesOfTaps) {
    DIVDET_NEEDS_SHARED(kDumps / "bug_bf16_accumulator.safetensors");
    for (const auto& [file, declare, first] :
         {std::array<const char*, 3>{"bug_bf16_accumulator", "bf16", "layers.2.mlp.down"},
          std::array<const char*, 3>{"bug_clipped_channel", "int8", "layers.1.mlp.act"}}) {
        SCOPED_TRACE(file);
        const auto c = judged(file, declare);
        EXPECT_EQ(firstBadTap(*c), first) << classes(*c);
        for (const TapPair& p : c->pairs) EXPECT_TRUE(!p.bound || p.bound->beyond == 0) << p.name;
        EXPECT_EQ(find(*c, std::string(first).substr(0, 12) == "layers.2.mlp" ? "layers.2.mlp.out"
                                                                              : "layers.1.mlp.out")
                      ->pairClass,
                  PairClass::inherited);
    }
}

} // namespace
} // namespace divdet
