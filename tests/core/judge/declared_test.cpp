#include "judge/declared.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "base/split.h"
#include "lower/pass_info.h"

using namespace divdet;

namespace {

Declared declared(std::string_view text) {
    auto d = Declared::parse(text);
    EXPECT_TRUE(d) << text;
    return d ? *d : Declared();
}

} // namespace

TEST(Declared, NothingIsDeclaredByAnEmptyText) {
    const Declared d = declared("");
    EXPECT_TRUE(d.empty());
    EXPECT_EQ(d.operandRoundoff(), 0);
    EXPECT_EQ(d.outputRoundoff(), 0);
    EXPECT_FALSE(d.int8() || d.fp8() || d.bf16Partials(DType::bf16));
    EXPECT_TRUE(d.has(LossyStep::reassociate)); // always allowed
    EXPECT_FALSE(d.has(LossyStep::tf32));
}

TEST(Declared, ANameIsReadAndWrittenBack) {
    const Declared d = declared("tf32-operands,bf16-output,tf32-operands");
    EXPECT_EQ(d.steps().size(), 2u);
    EXPECT_EQ(declared(d.text()), d);
    for (const auto& s : lossySteps()) {
        const Declared one = declared(s.id);
        EXPECT_TRUE(one.has(s.step)) << s.id;
        EXPECT_EQ(one.text(), s.id);
    }
}

TEST(Declared, AnUnknownNameIsAnErrorWithTheNearest) {
    const auto d = Declared::parse("tf32,bf16-ouput");
    ASSERT_FALSE(d);
    EXPECT_EQ(d.error().code, ErrorCode::usage);
    EXPECT_NE(d.error().message.find("'bf16-ouput'"), std::string::npos);
    EXPECT_EQ(d.error().hint, "did you mean bf16-output?");
    const auto far = Declared::parse("xyzzy");
    ASSERT_FALSE(far);
    EXPECT_NE(far.error().hint.find("vllm-tp2-bf16"), std::string::npos);
}

TEST(Declared, EveryDriftPassIsAStepAndNoFaultIsButSplitK) {
    for (const auto& p : lower::passList()) {
        const bool known = static_cast<bool>(Declared::parse(p.id));
        // Backends document a split-K reduction in bf16, so it can be declared of them.
        EXPECT_EQ(known, p.kind == lower::PassKind::drift || p.id == "split-k-bf16") << p.id;
    }
}

TEST(Declared, TheCoarsestRoundingCounts) {
    const Declared d = declared("tf32,bf16-operands,fp16-output");
    EXPECT_EQ(d.operandRoundoff(), std::ldexp(1.0, -8));
    EXPECT_EQ(d.outputRoundoff(), std::ldexp(1.0, -11));
    EXPECT_EQ(declared("tf32").outputRoundoff(), 0);
    EXPECT_EQ(declared("fp8-e4m3").operandRoundoff(), std::ldexp(1.0, -4));
}

TEST(Declared, Tf32OfConvolutionsExcusesNoProduct) {
    const Declared d = declared("torch-cuda-default");
    EXPECT_EQ(d.operandRoundoff("conv2d"), std::ldexp(1.0, -11));
    EXPECT_EQ(d.operandRoundoff("matmul"), 0);
    EXPECT_EQ(d.operandRoundoff(), 0);
}

TEST(Declared, AReductionInItsOwnPrecisionIsOneOf16BitProducts) {
    const Declared d = declared("reduced-precision-reduction");
    EXPECT_TRUE(d.bf16Partials(DType::bf16));
    EXPECT_FALSE(d.bf16Partials(DType::f32));
    EXPECT_TRUE(d.fp16Partials(DType::f16));
    EXPECT_FALSE(d.fp16Partials(DType::bf16));
    EXPECT_TRUE(declared("split-k-bf16").bf16Partials(DType::f32));
    EXPECT_TRUE(declared("fp16-accumulation").fp16Partials(DType::f32));
}

TEST(Declared, QuantisedStepsAreToldApart) {
    for (const char* id : {"int8", "int8-per-tensor", "int8-per-channel-weights", "int4-weights"})
        EXPECT_TRUE(declared(id).int8()) << id;
    EXPECT_FALSE(declared("int8").int4());
    EXPECT_TRUE(declared("fp8").fp8());
    EXPECT_FALSE(declared("bf16,fp16,tf32").int8());
}

TEST(Declared, EveryProfileExpandsToStepsAndSaysWhy) {
    std::set<std::string_view> ids;
    for (const auto& p : backendProfiles()) {
        ids.insert(p.id);
        const Declared d = declared(p.id);
        EXPECT_EQ(d.steps().size(), split(p.steps, ',').size()) << p.id;
        EXPECT_GT(p.text.size(), 40u) << p.id;
    }
    EXPECT_EQ(ids, (std::set<std::string_view>{"torch-cuda-default", "torch-inductor-bf16", "tensorrt-fp16",
                                               "tensorrt-int8", "ort-int8-qdq", "vllm-tp2-bf16"}));
    EXPECT_TRUE(declared("vllm-tp2-bf16").bf16Partials(DType::f32));
    EXPECT_TRUE(declared("ort-int8-qdq").int8());
}
