// Real dumps, all taps judged together without a graph: of torch, with and without planted bugs, and of ONNX
// models, soundly and badly quantised.
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dump/open.h"
#include "dump/pairing.h"
#include "shared_data.h"
#include "taps_support.h"

using namespace divdet;
using namespace divdet::test;

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path kDumps = "data/torch/dumps", kModels = "data/onnx/models";

TapList pairsOf(const fs::path& reference, const fs::path& candidate) {
    auto r = openDump(reference, {}), c = openDump(candidate, {});
    if (!r || !c) throw std::runtime_error((!r ? r.error() : c.error()).text());
    TapList out;
    const auto pairing = pairTaps(**r, **c, {});
    if (!pairing) throw std::runtime_error(pairing.error().text());
    for (const Pair& p : pairing->pairs) {
        auto a = (*r)->load(p.reference, {}), b = (*c)->load(p.candidate, {});
        if (!a || !b) throw std::runtime_error((!a ? a.error() : b.error()).text());
        out.add((*r)->taps()[p.reference].name, *a, *b);
    }
    return out;
}

TapList torchPair(const std::string& candidate, const std::string& reference) {
    return pairsOf(sharedPath(kDumps / (reference + ".safetensors")),
                   sharedPath(kDumps / (candidate + ".safetensors")));
}

/// The pair against the model's fp32 run.
TapList onnxPair(const std::string& model, const std::string& variant) {
    const fs::path folder = sharedPath(kModels / model);
    fs::path file = folder / (model + "_" + variant + ".npz");
    if (!fs::exists(file)) file.replace_extension(".safetensors");
    return pairsOf(folder / (model + "_fp32.npz"), file);
}

std::string why(const Comparison& c) {
    std::string out;
    for (const auto& p : c.pairs)
        for (const auto& f : p.findings)
            if (f.kind == FindingClass::bug || f.kind == FindingClass::unclear)
                out += "\n  " + p.name + ": " + f.text;
    return out;
}

/// What is declared for a run of this name.
std::string declared(const std::string& run) {
    return run.starts_with("int8") || run == "bug_clipped_channel" ? "int8" : "";
}

} // namespace

TEST(PlainDumps, HonestTorchRunsAreDrift) {
    DIVDET_NEEDS_SHARED(kDumps);
    const std::pair<const char*, const char*> pairs[] = {
        {"eager_fp32", "ref_fp64"},      {"compiled_fp32", "ref_fp64"},   {"eager_bf16", "ref_fp64"},
        {"compiled_bf16", "ref_fp64"},   {"eager_fp16", "ref_fp64"},      {"int8_dynamic_fp32", "ref_fp64"},
        {"compiled_fp32", "eager_fp32"}, {"compiled_bf16", "eager_bf16"}, {"eager_bf16", "eager_fp32"},
        {"compiled_bf16", "eager_fp32"}, {"eager_fp16", "eager_fp32"},    {"int8_dynamic_fp32", "eager_fp32"},
    };
    for (const auto& [candidate, reference] : pairs) {
        const auto j = torchPair(candidate, reference).judged(declared(candidate));
        EXPECT_LE(overallClass(j), PairClass::drift) << candidate << " against " << reference << why(j);
        EXPECT_FALSE(j.firstBad);
    }
}

TEST(PlainDumps, AnUndeclaredQuantisationIsUnclearAndSaysWhatToDeclare) {
    DIVDET_NEEDS_SHARED(kDumps);
    const auto j = torchPair("int8_dynamic_fp32", "ref_fp64").judged();
    EXPECT_EQ(overallClass(j), PairClass::unclear);
    EXPECT_EQ(firstBad(j), "layers.0.attn.q");
    EXPECT_NE(why(j).find("--declare"), std::string::npos);
}

TEST(PlainDumps, EveryPlantedTorchBugIsFoundAtItsTap) {
    DIVDET_NEEDS_SHARED(kDumps);
    std::ifstream file(sharedPath(kDumps / "truth.json"));
    const json planted = json::parse(file)["planted"];
    ASSERT_EQ(planted.size(), 3u);
    for (const auto& [bug, truth] : planted.items()) {
        std::vector<std::string> references{truth["compare_with"], "ref_fp64", "eager_fp32"};
        if (bug == "bug_bf16_accumulator") references.push_back("compiled_bf16");
        for (const auto& reference : references) {
            const auto j = torchPair(bug, reference).judged(declared(bug));
            EXPECT_EQ(overallClass(j), PairClass::bug) << bug << " against " << reference;
            EXPECT_EQ(firstBad(j), truth["first_bad_tap"]) << bug << " against " << reference << why(j);
        }
    }
}

TEST(PlainDumps, TheClippedChannelIsNamed) {
    DIVDET_NEEDS_SHARED(kDumps);
    const auto j = torchPair("bug_clipped_channel", "ref_fp64").judged("int8");
    std::int64_t channel = -1;
    for (const auto& f : pairNamed(j, "layers.1.mlp.act").findings)
        for (const auto& [key, value] : f.evidence)
            if (f.id == "channel-gain" && key == "channel") channel = std::get<std::int64_t>(value);
    EXPECT_EQ(channel, 77) << why(j);
}

TEST(PlainDumps, AMaskBugShowsThroughOtherArithmetics) {
    DIVDET_NEEDS_SHARED(kDumps);
    for (const char* reference : {"int8_dynamic_fp32", "eager_bf16"}) {
        const auto j = torchPair("bug_mask_off_by_one", reference).judged("", declared(reference));
        EXPECT_EQ(overallClass(j), PairClass::bug) << reference;
        EXPECT_EQ(firstBad(j), "layers.0.attn.probs") << reference << why(j);
        EXPECT_TRUE(hasFinding(pairNamed(j, "layers.0.attn.probs"), "support")) << reference;
    }
}

TEST(PlainDumps, SoundlyQuantisedModelsAreNoBug) {
    int drift = 0;
    DIVDET_NEEDS_SHARED(kModels);
    const std::pair<const char*, const char*> good[] = {
        {"magika", "int8_static_conv_matmul"},
        {"magika", "int8_dynamic"},
        {"minilm_l5", "int8_static_matmul_only"},
        {"minilm_l5", "int8_dynamic"},
        {"minilm_l5", "fp16"},
        {"ppocr_cls", "int8_static"},
        {"ppocr_cls", "int8_dynamic"},
        {"ppocr_cls", "fp16"},
    };
    for (const auto& [model, variant] : good) {
        const auto j = onnxPair(model, variant).judged(std::string_view(variant) == "fp16" ? "fp16" : "int8");
        EXPECT_LE(overallClass(j), PairClass::unclear) << model << " " << variant << why(j);
        drift += overallClass(j) == PairClass::drift;
    }
    EXPECT_GE(drift, 7) << "of 8";
}

TEST(PlainDumps, BadlyQuantisedModelsAreBugsOfTheirRegion) {
    DIVDET_NEEDS_SHARED(kModels);
    const auto magika = onnxPair("magika", "int8_static").judged("int8");
    EXPECT_EQ(overallClass(magika), PairClass::bug);
    EXPECT_NE(firstBad(magika).find("LayerNorm_0"), std::string::npos) << firstBad(magika);
    const auto minilm = onnxPair("minilm_l5", "int8_static").judged("int8");
    EXPECT_EQ(overallClass(minilm), PairClass::bug);
    EXPECT_EQ(firstBad(minilm), "attn") << "the mask's −10000 is in the range of the scores";
}

TEST(PlainDumps, ALostSignalIsUnclearAndSaysWhere) {
    DIVDET_NEEDS_SHARED(kModels);
    const auto j = onnxPair("silero_vad", "int8_dynamic").judged("int8");
    EXPECT_GE(overallClass(j), PairClass::unclear);
    EXPECT_EQ(firstBad(j), "/encoder.3/Conv_output_0");
    EXPECT_TRUE(hasFinding(pairNamed(j, "/encoder.3/Conv_output_0"), "lost")) << why(j);
    const auto sibling = onnxPair("silero_vad", "int8_static_encoder_only").judged("int8");
    EXPECT_NE(overallClass(sibling), PairClass::bug) << why(sibling);
}
