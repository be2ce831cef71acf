// What the recorded cases do not hold: rounding at the edges of the narrow types, complex, fp8, masks, the
// branches of same(), and what each tool refuses.
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "compare/rules/eager_rmse.h"
#include "compare/rules/evaluate.h"
#include "compare/rules/numpy_rule.h"
#include "compare/rules/precision.h"
#include "compare/rules/torch_rule.h"
#include "compare/scan.h"
#include "effort.h"
#include "make_tensor.h"
#include "numerics/rounding.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

using namespace test;

RuleOutcome outcome(const Tensor& r, const Tensor& c, const Tolerance& t) {
    auto out = evaluateRule({r.view(), c.view(), {}, {}}, t);
    EXPECT_TRUE(out.ok()) << (out.ok() ? "" : out.error().text());
    return out.ok() ? *out : RuleOutcome{};
}

Tensor in(DType type, std::vector<double> values) {
    return *converted(f64(std::move(values)), type);
}

TEST(Precision, RoundsAsTheNarrowFormatsDo) {
    std::mt19937_64 engine(5);
    for (int i = 0; i < 200000; ++i) {
        const double any = std::bit_cast<double>(engine());
        if (std::isnan(any)) continue;
        int exponent = 0;
        const double near = std::ldexp(std::frexp(any, &exponent), static_cast<int>(engine() % 60) - 40);
        for (const double x : {any, near}) {
            EXPECT_EQ(rules::rounded<rules::Precision::f16>(x),
                      numerics::f16ToFloat(numerics::f16FromDouble(x)));
            EXPECT_EQ(rules::rounded<rules::Precision::bf16>(x),
                      numerics::bf16ToFloat(numerics::bf16FromDouble(x)));
        }
    }
    EXPECT_TRUE(std::isinf(rules::rounded<rules::Precision::f16>(65520.0)));
    EXPECT_EQ(rules::rounded<rules::Precision::f16>(65519.0), 65504.0);
}

TEST(NumpyRule, HalvesTheBoundIsRoundedToHalf) {
    // 0.001 is 0.00100040435791015625 as a half: an error of exactly that passes, though it exceeds 0.001.
    const Tensor r = in(DType::f16, {0.0}), c = in(DType::f16, {0.001});
    EXPECT_TRUE(outcome(r, c, {Rule::numpy, 0, 0.001, false}).passes);
    EXPECT_FALSE(outcome(r, c, {Rule::allclose, 0, 0.001, false}).passes);
}

TEST(NumpyRule, ComplexByModulusAndInfiniteToleranceLetsAnythingFiniteThrough) {
    const std::vector<double> rv{3, 4, 0, 0}, cv{3, 4.5, INFINITY, 0};
    TensorBuilder rb(DType::c128, {2}), cb(DType::c128, {2});
    std::copy(rv.begin(), rv.end(), rb.as<double>().begin());
    std::copy(cv.begin(), cv.end(), cb.as<double>().begin());
    const Tensor r = std::move(rb).finish(), c = std::move(cb).finish();
    const RuleOutcome out = outcome(r, c, {Rule::numpy, 0.1, 0, false});
    EXPECT_EQ(out.mismatches, 1); // 0.5 <= 0.1·5
    EXPECT_EQ(out.firstMismatch, 1);
    EXPECT_TRUE(outcome(r, c, {Rule::numpy, 0, INFINITY, false}).passes);     // inf <= inf
    EXPECT_FALSE(outcome(r, c, {Rule::allclose, 0, INFINITY, false}).passes); // ours never lets inf pass
}

TEST(TorchRule, ProductWithAFloatToleranceIsRoundedOnce) {
    // 0.3 as a float times 1.21875 rounds to 0.365234375 in bf16; 0.3 rounded to bf16 first would give
    // 0.3671875, which is the error here.
    const Tensor r = in(DType::bf16, {1.21875}), c = in(DType::bf16, {1.5859375});
    const RuleOutcome out = outcome(r, c, {Rule::torch, 0.3, 0, false});
    EXPECT_FALSE(out.passes);
    EXPECT_EQ(out.worst.bound, 0.365234375);
    EXPECT_EQ(out.worst.abs, 0.3671875);
}

TEST(TorchRule, NeedsOneTypeAndTolerancesThatTorchTakes) {
    const Tensor a = in(DType::f32, {1}), b = in(DType::f64, {1});
    auto mixed = evaluateRule({a.view(), b.view(), {}, {}}, {Rule::torch, 0, 0, false});
    ASSERT_FALSE(mixed.ok());
    EXPECT_EQ(mixed.error().code, ErrorCode::mismatch);
    for (const double bad : {-1.0, std::nan("")}) {
        auto refused = evaluateRule({a.view(), a.view(), {}, {}}, {Rule::torch, bad, 0, false});
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.error().code, ErrorCode::usage);
    }
    EXPECT_TRUE(outcome(a, a, {Rule::torch, INFINITY, 0, false}).passes);
}

TEST(TorchRule, IntegersGoThroughFloatButEqualityDoesNot) {
    const std::int64_t big = (std::int64_t{1} << 53) + 1;
    const std::vector<std::int64_t> rv{big, big}, cv{big, big - 1};
    const Tensor r = tensorOf<std::int64_t>(DType::i64, {2}, rv),
                 c = tensorOf<std::int64_t>(DType::i64, {2}, cv);
    EXPECT_EQ(outcome(r, c, {Rule::torch, 0, 0, false}).mismatches, 1);    // equality is exact
    EXPECT_EQ(outcome(r, c, {Rule::torch, 0, 1e-9, false}).mismatches, 0); // through float32 both are 2^53
    EXPECT_EQ(outcome(r, c, {Rule::allclose, 0, 0.5, false}).mismatches, 1);
}

TEST(TorchRule, Fp8IsComparedBitForBit) {
    const Tensor a = in(DType::f8e4m3, {1, 0.0, NAN}), b = in(DType::f8e4m3, {1.125, -0.0, NAN});
    const RuleOutcome out = outcome(a, b, {Rule::torch, 100, 100, false});
    EXPECT_EQ(out.mismatches, 2); // 1.125, and −0; the NaN has the same bits
    EXPECT_EQ(out.firstMismatch, 0);
    EXPECT_TRUE(outcome(a, a, {Rule::torch, 0, 0, false}).passes);
}

TEST(PolygraphyRule, MatchingInfinitiesFailUnlessToldOtherwiseAndNanAlwaysDoes) {
    const Tensor r = f32({INFINITY, 1}), n = f32({NAN, 1});
    Tolerance t{Rule::polygraphyElemwise, 1e3, 1e3, true};
    EXPECT_FALSE(outcome(r, r, t).passes);
    EXPECT_FALSE(outcome(n, n, t).passes);
    t.options.infinitiesEqual = true;
    EXPECT_TRUE(outcome(r, r, t).passes);
    EXPECT_FALSE(outcome(n, n, t).passes);
}

TEST(PolygraphyRule, TwoMaximaMayComeFromTwoElements) {
    // |e| = 1 at r = 1000 (rel 1e-3); rel = 1 at e = 1e-6: both below their tolerance? abs 1 > 0.5, rel 1 >
    // 0.5.
    const Tensor r = f32({1000, 1e-6f}), c = f32({1001, 2e-6f});
    const Tolerance max{Rule::polygraphyMax, 0.5, 0.5, false},
        each{Rule::polygraphyElemwise, 0.5, 0.5, false};
    EXPECT_FALSE(outcome(r, c, max).passes);
    EXPECT_TRUE(outcome(r, c, each).passes);
    const RuleOutcome out = outcome(r, c, max);
    ASSERT_TRUE(out.statistic);
    EXPECT_EQ(out.statistic->name, "max");
    EXPECT_EQ(out.statistic->abs, 1.0);
}

TEST(PolygraphyRule, RefusesComplex) {
    const Tensor z = TensorBuilder(DType::c64, {1}).finish();
    auto out = evaluateRule({z.view(), z.view(), {}, {}}, {Rule::polygraphyMean, 0, 0, false});
    ASSERT_FALSE(out.ok());
    EXPECT_EQ(out.error().code, ErrorCode::mismatch);
}

TEST(EvaluateRule, PlainRulesCountAsTheScanDoes) {
    for (const DType type : {DType::f32, DType::f16, DType::i64, DType::u8}) {
        auto a = normals(5000, 3, 50), b = a;
        const auto noise = normals(5000, 4, 2);
        for (std::size_t i = 0; i < b.size(); ++i) {
            a[i] = std::round(std::fabs(a[i]));
            b[i] = std::round(std::fabs(a[i] + noise[i]));
        }
        const Tensor r = in(type, a), c = in(type, b);
        for (const Rule rule : {Rule::allclose, Rule::either}) {
            const Tolerance t{rule, 0.03, 0.5, false};
            const AtTolerance want = *recount(r.view(), c.view(), t);
            const RuleOutcome got = outcome(r, c, t);
            EXPECT_EQ(got.mismatches, want.mismatches);
            EXPECT_EQ(got.firstMismatch, want.firstMismatch);
            EXPECT_EQ(got.worst.index, want.worst.index) << name(type);
        }
    }
}

TEST(EvaluateRule, AMaskLeavesElementsOut) {
    const Tensor r = f32({1, 2, 3, 4}), c = f32({1, 9, 3, 8});
    const std::vector<std::uint8_t> bits{1, 0, 1, 1};
    const Tensor mask = tensorOf<std::uint8_t>(DType::boolean, {4}, bits);
    for (const Rule rule : {Rule::allclose, Rule::numpy, Rule::torch, Rule::polygraphyElemwise}) {
        auto out = evaluateRule({r.view(), c.view(), mask.view(), {}}, {rule, 0.1, 0, false});
        ASSERT_TRUE(out.ok());
        EXPECT_EQ(out->elements, 3);
        EXPECT_EQ(out->mismatches, 1);
        EXPECT_EQ(out->firstMismatch, 3); // where it is in the tensor, not in the chosen part
    }
    auto max = evaluateRule({r.view(), c.view(), mask.view(), {}}, {Rule::polygraphyMax, 0.1, 0, false});
    ASSERT_TRUE(max.ok());
    EXPECT_EQ(max->statistic->abs, 4.0);
    EXPECT_EQ(max->elements, 3);
}

TEST(EvaluateRule, KnowsWhenZerosWouldPass) {
    const Tensor r = f32({1e-4f, 2e-4f}), c = f32({1.1e-4f, 2e-4f});
    for (const RuleInfo& i : ruleList()) {
        if (i.rule == Rule::eagerRmse) continue;
        EXPECT_TRUE(outcome(r, c, {i.rule, 1e-2, 1e-3, false}).zerosPass) << i.id;
        EXPECT_FALSE(outcome(r, c, {i.rule, 0.5, 1e-8, false}).zerosPass) << i.id;
    }
}

TEST(EvaluateRule, ThreadsDoNotMatter) {
    const auto a = normals(test::effort(1'200'000, 300'000), 7);
    auto b = a;
    for (std::size_t i = 0; i < b.size(); i += 3) b[i] *= 1 + 1e-4 * static_cast<double>(i % 7);
    const Tensor r = in(DType::f32, a), c = in(DType::f32, b);
    for (const RuleInfo& i : ruleList()) {
        const Tolerance t{i.rule, 1e-4, 1e-7, false};
        std::optional<RuleOutcome> first;
        for (const std::size_t threads : {1u, 2u, 7u}) {
            tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
            const RuleOutcome out = outcome(r, c, t);
            if (!first) first = out;
            EXPECT_EQ(out.mismatches, first->mismatches) << i.id;
            EXPECT_EQ(out.worst.index, first->worst.index) << i.id;
            if (out.statistic) {
                EXPECT_EQ(out.statistic->abs, first->statistic->abs) << i.id;
            }
        }
    }
}

TEST(EvaluateRule, CanBeCancelled) {
    const Tensor r = in(DType::f32, normals(100000, 1));
    Progress progress;
    progress.token.cancel();
    for (const RuleInfo& i : ruleList()) {
        auto out = evaluateRule({r.view(), r.view(), {}, {}}, {i.rule, 0, 0, false}, progress);
        ASSERT_FALSE(out.ok()) << i.id;
        EXPECT_EQ(out.error().code, ErrorCode::cancelled);
    }
}

rules::SameOptions tol(double value) {
    rules::SameOptions o;
    o.tol = value;
    return o;
}

TEST(TorchSame, SmallTensorsGetThreeTimesTheError) {
    // rmse of the reference 1, of the candidate 2.5: within 3 but not within 2.
    const std::vector<double> zero(10, 0), one(10, 1), more(10, 2.5);
    const Tensor truth = f64(zero), r = in(DType::f32, one), c = in(DType::f32, more);
    EXPECT_TRUE(rules::torchSame(r.view(), c.view(), truth.view(), tol(1e-4))->passes);
    rules::SameOptions two = tol(1e-4);
    two.multiplier = 2;
    EXPECT_FALSE(rules::torchSame(r.view(), c.view(), truth.view(), two)->passes);
}

TEST(TorchSame, MultipliersAsInTorch) {
    const auto passesAt = [](std::size_t n, double factor, auto&& set, DType type = DType::f32,
                             Shape shape = {}) {
        const std::vector<double> zero(n, 0), one(n, 1), more(n, factor);
        if (shape.empty()) shape = {static_cast<std::int64_t>(n)};
        rules::SameOptions o = tol(1e-4);
        set(o);
        const Tensor truth = f64(zero, shape);
        const Tensor r = *converted(f64(one, shape), type), c = *converted(f64(more, shape), type);
        return rules::torchSame(r.view(), c.view(), truth.view(), o)->passes;
    };
    const auto plain = [](rules::SameOptions&) {};
    EXPECT_TRUE(passesAt(1000, 2, plain));
    EXPECT_FALSE(passesAt(1000, 2.5, plain));
    EXPECT_TRUE(passesAt(1000, 3, plain, DType::bf16));
    EXPECT_TRUE(passesAt(1000, 3, plain, DType::f16));
    EXPECT_TRUE(passesAt(999, 3, plain));
    EXPECT_TRUE(passesAt(1024, 3, plain, DType::f32, {32, 32, 1, 1}));
    EXPECT_TRUE(passesAt(1000, 3, [](auto& o) { o.tol = 2e-2; }));
    EXPECT_TRUE(passesAt(10, 10, [](auto& o) { o.largerMultiplierForSmall = true; }));
    EXPECT_TRUE(passesAt(500, 8, [](auto& o) { o.largerMultiplierForSmall = true; }));
    EXPECT_FALSE(passesAt(500, 9, [](auto& o) { o.largerMultiplierForSmall = true; }));
    EXPECT_TRUE(passesAt(5000, 10, [](auto& o) { o.forceMaxMultiplier = true; }));
    EXPECT_TRUE(passesAt(5000, 7, [](auto& o) { o.multiplier = 7; }));
}

TEST(TorchSame, NanInTheReferenceOnly) {
    const Tensor truth = f64({5, 1}), r = f32({NAN, 1}), good = f32({5.1f, 1}), bad = f32({6, 1});
    EXPECT_TRUE(rules::torchSame(r.view(), good.view(), truth.view(), tol(1e-4))->passes);
    EXPECT_FALSE(rules::torchSame(r.view(), bad.view(), truth.view(), tol(1e-4))->passes);
    rules::SameOptions equal = tol(1e-4);
    EXPECT_FALSE(rules::torchSame(r.view(), r.view(), truth.view(), equal)->passes);
    equal.equalNan = true;
    EXPECT_TRUE(rules::torchSame(r.view(), r.view(), truth.view(), equal)->passes);
}

TEST(TorchSame, TypesBoolCosineAndNoTruth) {
    const Tensor a = f32({1, 2, 3}), b = f32({2, 4, 6}), d = f64({1, 2, 3});
    EXPECT_FALSE(rules::torchSame(a.view(), d.view(), {}, tol(1e-4))->passes);
    EXPECT_NE(rules::torchSame(a.view(), d.view(), {}, tol(1e-4))->note.find("dtypes differ"),
              std::string::npos);
    EXPECT_FALSE(rules::torchSame(a.view(), b.view(), {}, tol(1e-4))->passes);
    rules::SameOptions cosine = tol(1e-4);
    cosine.cosine = true;
    EXPECT_TRUE(rules::torchSame(a.view(), b.view(), {}, cosine)->passes);
    rules::SameOptions ignore = tol(1e-4);
    ignore.ignoreNonFloat = true;
    EXPECT_TRUE(rules::torchSame(a.view(), b.view(), {}, ignore)->passes);

    const std::vector<std::uint8_t> p{1, 1, 1, 0}, q{1, 1, 0, 0};
    const Tensor x = tensorOf<std::uint8_t>(DType::boolean, {4}, p),
                 y = tensorOf<std::uint8_t>(DType::boolean, {4}, q);
    EXPECT_FALSE(rules::torchSame(x.view(), y.view(), {}, tol(1e-4))->passes);
    EXPECT_TRUE(rules::torchSame(x.view(), y.view(), {}, tol(1.0))->passes);
    EXPECT_TRUE(rules::torchSame(x.view(), y.view(), {}, ignore)->passes);
    rules::SameOptions iou = tol(1e-4);
    iou.iouThreshold = 0.6;
    EXPECT_TRUE(rules::torchSame(x.view(), y.view(), {}, iou)->passes); // 2 of 3
    iou.iouThreshold = 0.7;
    EXPECT_FALSE(rules::torchSame(x.view(), y.view(), {}, iou)->passes);
}

TEST(AssertCloseTable, IsTorchs) {
    EXPECT_EQ(rules::assertCloseDefaults(DType::bf16).rtol, 1.6e-2);
    EXPECT_EQ(rules::assertCloseDefaults(DType::c128).atol, 1e-7);
    EXPECT_EQ(rules::assertCloseDefaults(DType::i32).rtol, 0);
    for (const auto& p : tolerancePresets()) {
        if (!p.id.starts_with("torch-") || p.id == "torch-int") continue;
        const auto type = parseDType(p.id.substr(6));
        ASSERT_TRUE(type) << p.id;
        EXPECT_EQ(rules::assertCloseDefaults(*type).rtol, p.rtol) << p.id;
        EXPECT_EQ(rules::assertCloseDefaults(*type).atol, p.atol) << p.id;
    }
}

TEST(RuleNames, ReadBackAndSayWhetherTheyHaveAFrontier) {
    for (const RuleInfo& i : ruleList()) {
        EXPECT_EQ(parseRule(i.id), i.rule);
        EXPECT_EQ(toString(i.rule), i.id);
        EXPECT_EQ(i.frontier, hasFrontier(i.rule));
    }
    EXPECT_FALSE(parseRule("close"));
}

} // namespace
} // namespace divdet
