#include <cmath>
#include <cstring>

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include "block/presets.h"
#include "host/twin_backend.h"
#include "lower/lower.h"
#include "numerics/maths.h"
#include "numerics/norm.h"
#include "numerics/quantize.h"
#include "numerics/rounding.h"
#include "numerics/tensor_core.h"
#include "run/execute.h"

/// What each pass does to a product, a norm and a sum, bit for bit against plain loops over the scalar
/// headers.
namespace divdet {
namespace {

using numerics::addRn;
using Floats = std::vector<float>;

constexpr std::size_t kRows = 5, kInner = 67, kColumns = 11;

Floats values(const Tensor& t) {
    const auto s = t.as<float>();
    return {s.begin(), s.end()};
}

/// x [5, 67] · w [67, 11] (+ bias) -> y, then gelu -> a, then + r -> z.
block::BoundGraph chainBlock(bool bias = false) {
    block::Graph g;
    g.name = "chain";
    const auto x = g.addInput("x", {5, 67});
    const auto w = g.addWeight("w", {67, 11}, {block::FillKind::normal, 0.3});
    std::vector<block::ValueIndex> in{x, w};
    if (bias) in.push_back(g.addWeight("b", {11}, {}));
    const auto r = g.addInput("r", {5, 11});
    const auto y = g.addOp(block::OpKind::matmul, "y", in);
    g.markOutput(g.addOp(block::OpKind::add, "z", {y, r}));
    return *block::bind(g);
}

class Twin : public testing::Test {
protected:
    run::Taps run(const block::BoundGraph& b, const std::vector<std::string>& passes,
                  const char* device = "cpu:sm_80") {
        std::vector<lower::PassChoice> choices;
        for (const auto& p : passes) choices.push_back(*lower::parsePass(p));
        inputs = *run::makeInputs(b, 7);
        auto taps = run::execute(*lower::lower(b, choices), inputs, {twin, device});
        EXPECT_TRUE(taps.ok()) << taps.error().text();
        return std::move(*taps);
    }
    Floats input(const block::BoundGraph& b, const char* name) {
        return values(inputs.tensors[*b.graph.find(name)]);
    }

    /// y of chainBlock under these passes, and the same by `dot(a, b)` on pointers with stride 1 and
    /// kColumns.
    template <class Dot>
    void expectProduct(const std::vector<std::string>& passes, const Dot& dot,
                       const char* device = "cpu:sm_80") {
        const auto b = chainBlock();
        const auto y = values(run(b, passes, device).find("y")->tensor);
        const auto x = input(b, "x"), w = input(b, "w");
        for (std::size_t i = 0; i < kRows; ++i)
            for (std::size_t j = 0; j < kColumns; ++j)
                ASSERT_EQ(y[i * kColumns + j], dot(&x[i * kInner], &w[j]))
                    << passes[0] << " at " << i << ", " << j;
    }

    host::TwinBackend twin;
    run::Inputs inputs;
};

numerics::DotTerms terms(const float* a, const float* b) {
    return {a, b, 1, kColumns};
}

TEST_F(Twin, AnnouncesItsDevices) {
    const auto devices = twin.devices();
    ASSERT_EQ(devices.size(), 4u);
    EXPECT_EQ(devices[0].id, "cpu:sm_80");
    for (const auto& d : devices) {
        EXPECT_EQ(d.promise, run::Promise::exact);
        EXPECT_TRUE(d.available);
    }
    EXPECT_EQ(twin.runOp("cpu:sm_42", {}, {}, {}).error().code, ErrorCode::notFound);
}

TEST_F(Twin, ReassociateIsThePublishedTrees) {
    using numerics::Order;
    const std::pair<const char*, numerics::SumOrder> cases[] = {
        {"reassociate=pairwise", {Order::pairwise, 1}},
        {"reassociate=strided", {Order::strided, 1}},
        {"reassociate", {Order::splitK, 8}},
        {"reassociate=splitk:3", {Order::splitK, 3}}};
    for (const auto& [pass, order] : cases)
        expectProduct({pass}, [&](const float* a, const float* b) {
            return numerics::reduce(terms(a, b), kInner, order);
        });
    expectProduct({"bf16@z"}, [](const float* a, const float* b) { // y itself as written
        return numerics::chain(terms(a, b), 0, kInner, 1, 0.0f);
    });
}

TEST_F(Twin, Tf32RoundsThenStepsTheTensorCore) {
    using numerics::Tf32Rounding;
    const std::tuple<const char*, Tf32Rounding, const char*, numerics::Arch> cases[] = {
        {"tf32", Tf32Rounding::nearestEven, "cpu:sm_80", numerics::Arch::sm80},
        {"tf32=rna", Tf32Rounding::nearestAway, "cpu:sm_89", numerics::Arch::sm89},
        {"tf32=rz", Tf32Rounding::towardZero, "cpu:sm_90", numerics::Arch::sm90},
        {"tf32", Tf32Rounding::nearestEven, "cpu:sm_100", numerics::Arch::sm100}};
    for (const auto& [pass, mode, device, arch] : cases) {
        const auto spec = numerics::tcSpec(arch, numerics::OperandFormat::tf32);
        for (std::size_t splits : {1u, 4u}) {
            std::vector<std::string> passes{pass};
            if (splits > 1) passes.push_back("reassociate=splitk:4");
            expectProduct(
                passes,
                [&, mode = mode](const float* a, const float* b) {
                    Floats ra(kInner), rb(kInner);
                    for (std::size_t k = 0; k < kInner; ++k) {
                        ra[k] = numerics::roundToTf32(a[k], mode);
                        rb[k] = numerics::roundToTf32(b[k * kColumns], mode);
                    }
                    return numerics::tcDotSplit(ra.data(), 1, rb.data(), 1, kInner, splits, 0.0f, spec);
                },
                device);
        }
    }
}

TEST_F(Twin, WrongAccumulatorRoundsAtEveryAddition) {
    expectProduct({"wrong-accumulator"}, [](const float* a, const float* b) {
        float acc = 0;
        for (std::size_t k = 0; k < kInner; ++k)
            acc = numerics::roundToBf16(std::fma(a[k], b[k * kColumns], acc));
        return acc;
    });
    expectProduct({"tf32", "wrong-accumulator=fp16"}, [](const float* a, const float* b) {
        float acc = 0;
        const auto rounded = [](float v) {
            return numerics::roundToTf32(v, numerics::Tf32Rounding::nearestEven);
        };
        for (std::size_t k = 0; k < kInner; ++k)
            acc = numerics::roundToF16(std::fma(rounded(a[k]), rounded(b[k * kColumns]), acc));
        return acc;
    });
}

/// Scalar W8A8 of one element: the integer sum, exact or rounded at every step, then acc·(sA·sB).
float int8Dot(const float* a, float scaleA, const float* b, bool bf16Accumulator) {
    const float scaleB = numerics::int8Scale(numerics::maxAbs(b, kInner, kColumns));
    std::int32_t exact = 0;
    float rounded = 0;
    for (std::size_t k = 0; k < kInner; ++k) {
        const int product =
            numerics::quantizeInt8(a[k], scaleA) * numerics::quantizeInt8(b[k * kColumns], scaleB);
        exact += product;
        rounded = numerics::roundToBf16(rounded + static_cast<float>(product));
    }
    return (bf16Accumulator ? rounded : static_cast<float>(exact)) * (scaleA * scaleB);
}

TEST_F(Twin, Int8QuantisesPerTokenOrPerTensor) {
    const auto perToken = [](const float* a) { return numerics::int8Scale(numerics::maxAbs(a, kInner, 1)); };
    expectProduct({"int8", "reassociate=pairwise"},
                  [&](const float* a, const float* b) { return int8Dot(a, perToken(a), b, false); });
    expectProduct({"int8", "wrong-accumulator"},
                  [&](const float* a, const float* b) { return int8Dot(a, perToken(a), b, true); });
    const auto b = chainBlock();
    run(b, {});
    const auto x = input(b, "x");
    const float all = numerics::int8Scale(numerics::maxAbs(x.data(), x.size(), 1));
    expectProduct({"int8=per-tensor"},
                  [&](const float* a, const float* w) { return int8Dot(a, all, w, false); });
}

TEST_F(Twin, Bf16StoresEveryTapInBf16) {
    const auto b = chainBlock();
    const auto taps = run(b, {"bf16"});
    for (const auto& t : taps.taps) EXPECT_EQ(t.tensor.dtype(), DType::bf16) << t.name;
    const auto spec = numerics::tcSpec(numerics::Arch::sm80, numerics::OperandFormat::bf16);
    auto x = input(b, "x"), w = input(b, "w"), r = input(b, "r");
    for (auto* list : {&x, &w, &r})
        for (float& v : *list) v = numerics::roundToBf16(v);
    for (std::size_t i = 0; i < kRows * kColumns; ++i) {
        const float y =
            numerics::tcDot(&x[i / kColumns * kInner], 1, &w[i % kColumns], kColumns, kInner, 0.0f, spec);
        ASSERT_EQ(taps.find("y")->tensor.as<std::uint16_t>()[i], numerics::bf16FromFloat(y));
        ASSERT_EQ(taps.find("z")->tensor.as<std::uint16_t>()[i],
                  numerics::bf16FromFloat(addRn(numerics::roundToBf16(y), r[i])));
    }
}

TEST_F(Twin, FuseStartsTheAccumulatorFromBiasAndResidual) {
    for (const bool bias : {false, true}) {
        const auto b = chainBlock(bias);
        const auto z = values(run(b, {"fuse"}).find("z")->tensor);
        const auto x = input(b, "x"), w = input(b, "w"), r = input(b, "r");
        const auto beta = bias ? input(b, "b") : Floats(kColumns);
        for (std::size_t i = 0; i < z.size(); ++i) {
            const float start = bias ? addRn(beta[i % kColumns], r[i]) : r[i];
            ASSERT_EQ(z[i], numerics::chain(terms(&x[i / kColumns * kInner], &w[i % kColumns]), 0, kInner, 1,
                                            start));
        }
    }
}

TEST_F(Twin, UnfusedBiasIsAddedToTheStoredResult) {
    const auto b = chainBlock(true);
    const auto y = values(run(b, {}).find("y")->tensor);
    const auto x = input(b, "x"), w = input(b, "w"), beta = input(b, "b");
    for (std::size_t i = 0; i < y.size(); ++i)
        ASSERT_EQ(y[i], addRn(numerics::chain(terms(&x[i / kColumns * kInner], &w[i % kColumns]), 0, kInner,
                                              1, 0.0f),
                              beta[i % kColumns]));
}

TEST_F(Twin, FusedInt8ScalesAndAddsInOneFma) {
    const auto b = chainBlock();
    const auto z = values(run(b, {"fuse", "int8"}).find("z")->tensor);
    const auto x = input(b, "x"), w = input(b, "w"), r = input(b, "r");
    for (std::size_t i = 0; i < z.size(); ++i) {
        const float *a = &x[i / kColumns * kInner], *c = &w[i % kColumns];
        const float sa = numerics::int8Scale(numerics::maxAbs(a, kInner, 1));
        const float sb = numerics::int8Scale(numerics::maxAbs(c, kInner, kColumns));
        std::int32_t acc = 0;
        for (std::size_t k = 0; k < kInner; ++k)
            acc += numerics::quantizeInt8(a[k], sa) * numerics::quantizeInt8(c[k * kColumns], sb);
        ASSERT_EQ(z[i], std::fma(static_cast<float>(acc), sa * sb, r[i]));
    }
}

TEST_F(Twin, FusedBf16RoundsOnlyWhatItStores) {
    const auto b = *block::bind(*block::preset("mlp"), {{"tokens", 3}, {"width", 19}, {"hidden", 23}});
    const auto apart = run(b, {"bf16", "fuse@down"}), fused = run(b, {"bf16", "fuse"});
    EXPECT_EQ(fused.find("up"), nullptr);
    EXPECT_EQ(fused.fusedAway, (std::vector<std::string>{"up", "down"}));
    const auto norm = apart.find("norm")->tensor.as<std::uint16_t>(),
               act = fused.find("act")->tensor.as<std::uint16_t>();
    const auto w = input(b, "up.weight");
    const auto spec = numerics::tcSpec(numerics::Arch::sm80, numerics::OperandFormat::bf16);
    for (std::size_t i = 0; i < act.size(); ++i) {
        Floats a(19), c(19);
        for (std::size_t k = 0; k < 19; ++k) {
            a[k] = numerics::bf16ToFloat(norm[i / 23 * 19 + k]);
            c[k] = numerics::roundToBf16(w[k * 23 + i % 23]);
        }
        const float up = numerics::tcDot(a.data(), 1, c.data(), 1, 19, 0.0f, spec);
        ASSERT_EQ(act[i], numerics::bf16FromFloat(numerics::geluFloat(up)));
    }
}

TEST_F(Twin, NormsAndSumsFollowTheirOrder) {
    using numerics::Order;
    const auto mlp = *block::bind(*block::preset("mlp"), {{"tokens", 4}, {"width", 333}, {"hidden", 8}});
    const std::pair<std::vector<std::string>, numerics::SumOrder> norms[] = {
        {{}, {Order::strided, 1}},
        {{"reassociate@norm"}, {Order::splitK, 8}},
        {{"reassociate=pairwise"}, {Order::pairwise, 1}}};
    for (const auto& [passes, order] : norms) {
        const auto y = values(run(mlp, passes).find("norm")->tensor);
        const auto x = input(mlp, "x"), gain = input(mlp, "norm.gain");
        Floats expected(y.size());
        for (std::size_t r = 0; r < 4; ++r)
            numerics::rmsNormRow(&x[r * 333], gain.data(), 1e-6f, 333, order, &expected[r * 333]);
        EXPECT_EQ(y, expected);
    }
    const auto sum = *block::bind(*block::preset("reduction"), {{"tokens", 3}, {"k", 1001}});
    const auto plain = values(run(sum, {}).find("sum")->tensor),
               tree = values(run(sum, {"reassociate=strided"}).find("sum")->tensor);
    const auto wrong = values(run(sum, {"wrong-accumulator=fp16"}).find("sum")->tensor);
    const auto x = input(sum, "x");
    for (std::size_t r = 0; r < 3; ++r) {
        float chain = 0, rounded = 0;
        for (std::size_t k = 0; k < 1001; ++k) {
            chain += x[r * 1001 + k];
            rounded = numerics::roundToF16(rounded + x[r * 1001 + k]);
        }
        EXPECT_EQ(plain[r], chain);
        EXPECT_EQ(wrong[r], rounded);
        EXPECT_EQ(tree[r], numerics::reduce(numerics::SumTerms{&x[r * 1001]}, 1001, {Order::strided, 1}));
    }
}

TEST_F(Twin, PositiveSumsStagnateInBf16) {
    auto g = *block::preset("reduction");
    block::setInputKind(g, block::FillKind::positive);
    const auto b = *block::bind(g, {{"tokens", 2}});
    const auto wrong = values(run(b, {"wrong-accumulator=bf16"}).find("sum")->tensor);
    const auto right = values(run(b, {}).find("sum")->tensor);
    for (std::size_t r = 0; r < 2; ++r) {
        EXPECT_GT(right[r], 3000);
        EXPECT_LT(wrong[r], 1100); // from 1024 on half a step of bf16 is 4, more than nearly every addend
    }
}

TEST_F(Twin, ResultsDoNotDependOnTheNumberOfThreads) {
    const auto b = *block::bind(*block::preset("mlp"), {{"tokens", 33}, {"width", 65}, {"hidden", 129}});
    for (const std::vector<std::string>& passes : std::vector<std::vector<std::string>>{
             {}, {"reassociate"}, {"tf32"}, {"int8", "fuse"}, {"bf16"}, {"wrong-accumulator"}}) {
        const auto many = run(b, passes);
        const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
        const auto single = run(b, passes);
        for (std::size_t i = 0; i < many.taps.size(); ++i) {
            const auto &x = many.taps[i].tensor.view(), &y = single.taps[i].tensor.view();
            const auto bytes = static_cast<std::size_t>(x.elements()) * itemSize(x.dtype);
            EXPECT_EQ(std::memcmp(x.data, y.data, bytes), 0) << many.taps[i].name;
        }
    }
}

TEST_F(Twin, RefusesSlotsItHasNoArithmeticFor) {
    const auto b = chainBlock();
    auto g = *lower::lower(b, {});
    g.ops[0].slots.partials = DType::bf16; // of a sum that is not cut into chunks
    const auto taps = run::execute(g, *run::makeInputs(b, 0), {twin, "cpu:sm_80"});
    ASSERT_FALSE(taps.ok());
    EXPECT_EQ(taps.error().code, ErrorCode::unsupported);
    EXPECT_EQ(taps.error().path, "y");
}

TEST(TwinBackend, FillsWithTheNumbersOfThePlainHeader) {
    host::TwinBackend twin;
    for (const std::size_t n : {1u, 7u, 4099u}) {
        std::vector<float> fast(n), plain(n);
        twin.fillNormal(5, 3, fast);
        run::Backend::fillNormalPlain(5, 3, plain);
        EXPECT_EQ(fast, plain);
    }
}

} // namespace
} // namespace divdet
