// Findings on how numbers are stored and summed: coarse-grid, one-sided, stagnation, clipped, flush-to-zero,
// error-floor, cancellation, rounding-noise.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "judged.h"

using namespace divdet;
using namespace divdet::test;

namespace {

FindingClass kindOf(const Judged& j, std::string_view id) {
    const Finding* f = j.find(id);
    EXPECT_TRUE(f) << id;
    return f ? f->kind : FindingClass::note;
}

std::string word(const Judged& j, std::string_view id, std::string_view key) {
    for (const auto& [k, v] : j.find(id)->evidence)
        if (k == key) return std::get<std::string>(v);
    return {};
}

double truncatedTo(double x, int bits) {
    if (x == 0) return 0;
    int e = 0;
    const double m = std::frexp(x, &e);
    return std::ldexp(std::trunc(std::ldexp(m, bits)), e - bits);
}

/// A product with sums kept in double or rounded to `bits` at each addition.
struct Product {
    Tensor a, b, exact, candidate;
};
Product product(std::int64_t m, std::int64_t k, std::int64_t n, std::uint32_t seed, int operandBits,
                int sumBits) {
    const auto f32 = [](double x) { return static_cast<double>(static_cast<float>(x)); };
    const auto a = mapped(normals(static_cast<std::size_t>(m * k), seed), f32),
               b = mapped(normals(static_cast<std::size_t>(k * n), seed + 1), f32);
    std::vector<double> exact, other;
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            double s = 0, t = 0;
            for (std::int64_t l = 0; l < k; ++l) {
                const double x = a[static_cast<std::size_t>(i * k + l)],
                             y = b[static_cast<std::size_t>(l * n + j)];
                s += x * y;
                t += operandBits ? roundedTo(x, operandBits) * roundedTo(y, operandBits) : x * y;
                if (sumBits) t = roundedTo(t, sumBits);
            }
            exact.push_back(s);
            other.push_back(t);
        }
    return {as(a, DType::f32, {m, k}), as(b, DType::f32, {k, n}), as(exact, DType::f32, {m, n}),
            as(other, DType::f32, {m, n})};
}

JudgeContext knowing(const Product& p, std::string_view declared = "") {
    JudgeContext out = declaring(declared, R"({"op":"matmul","operands":["a","b"]})");
    out.op.k = p.a.shape()[1];
    out.inputs = {{"a", p.a}, {"b", p.b}};
    return out;
}

} // namespace

TEST(CoarseGrid, StoringOnceInACoarserTypeIsDrift) {
    const auto r = normals(1000, 1);
    for (const auto& [bits, type] : {std::pair{8, "bf16"}, {11, "fp16"}}) {
        const auto j = judged(as(r, DType::f32),
                              as(mapped(r, [b = bits](double x) { return roundedTo(x, b); }), DType::f32));
        ASSERT_TRUE(j.find("coarse-grid")) << type;
        EXPECT_EQ(kindOf(j, "coarse-grid"), FindingClass::drift);
        EXPECT_EQ(word(j, "coarse-grid", "grid"), type);
        EXPECT_EQ(j.verdict, PairClass::drift) << j.alarms();
    }
    // The reference lies on it as well: nothing to see.
    const auto both = mapped(r, [](double x) { return roundedTo(x, 8); });
    EXPECT_FALSE(judged(as(both, DType::f32), as(mapped(both, [](double x) { return 2 * x; }), DType::f32))
                     .find("coarse-grid"));
}

TEST(CoarseGrid, ASumKeptInACoarserTypeIsABugUnlessDeclared) {
    for (const int bits : {8, 11}) {
        const auto p = product(24, 512, 24, 2, 0, bits);
        const auto j = judged(p.exact, p.candidate);
        ASSERT_TRUE(j.find("coarse-grid")) << bits;
        EXPECT_TRUE(j.bug()) << bits;
        EXPECT_FALSE(j.find("rounding-noise")) << bits;
    }
    const auto p = product(24, 64, 24, 2, 0, 8);
    EXPECT_FALSE(judged(p.exact, p.candidate, declaring("split-k-bf16,bf16")).bug());
}

TEST(OneSided, CutBitsAreABugAndRoundedOnesAreNot) {
    const auto r = normals(4000, 3);
    for (const int bits : {8, 11}) {
        const auto cut = judged(as(r, DType::f32),
                                as(mapped(r, [=](double x) { return truncatedTo(x, bits); }), DType::f32));
        ASSERT_TRUE(cut.find("one-sided")) << bits;
        EXPECT_TRUE(cut.bug());
        EXPECT_EQ(word(cut, "one-sided", "direction"), "towards zero");
        const auto rounded = judged(as(r, DType::f32),
                                    as(mapped(r, [=](double x) { return roundedTo(x, bits); }), DType::f32));
        EXPECT_FALSE(rounded.find("one-sided")) << bits;
    }
    // In the candidate's own type, where an ulp is all there is.
    const auto own =
        judged(as(r, DType::f64), as(mapped(r, [](double x) { return truncatedTo(x, 8); }), DType::bf16));
    ASSERT_TRUE(own.find("one-sided"));
    EXPECT_TRUE(own.bug());
}

TEST(Stagnation, ACounterThatStopsNamesItsType) {
    for (const auto& [bits, type, stop] : {std::tuple{8, "bf16", 256.0}, {11, "fp16", 2048.0}}) {
        std::vector<double> r, c;
        double sum = 0;
        for (int i = 1; i <= 5000; ++i) {
            r.push_back(i);
            c.push_back(sum = roundedTo(sum + 1, bits));
        }
        const auto j = judged(as(r, DType::f32), as(c, DType::f32), declaring("", R"({"op":"cumsum"})"));
        ASSERT_TRUE(j.find("stagnation")) << type;
        EXPECT_EQ(j.number("stagnation", "plateau"), stop);
        EXPECT_EQ(word(j, "stagnation", "accumulator"), type);
        EXPECT_TRUE(j.bug());
    }
}

TEST(Stagnation, LongSumsOfPositiveNumbersFallShort) {
    std::vector<double> r, c;
    std::mt19937 engine(4);
    std::uniform_real_distribution<double> u;
    for (int n = 8; n <= 4096; n += 16) {
        double exact = 0, sum = 0;
        for (int i = 0; i < n; ++i) {
            const double x = u(engine);
            exact += x;
            sum = roundedTo(sum + x, 8);
        }
        r.push_back(exact);
        c.push_back(sum);
    }
    const auto j = judged(as(r, DType::f32), as(c, DType::f32), declaring("", R"({"op":"sum"})"));
    EXPECT_TRUE(j.find("stagnation"));
    EXPECT_TRUE(j.bug());
    // The same sums, rounded once.
    const auto once =
        judged(as(r, DType::f32), as(mapped(r, [](double x) { return roundedTo(x, 8); }), DType::f32),
               declaring("", R"({"op":"sum"})"));
    EXPECT_FALSE(once.find("stagnation"));
    EXPECT_FALSE(once.bug()) << once.alarms();
}

RC_GTEST_PROP(Clipped, ALimitOfTheTensorOrOfAChannel, ()) {
    const auto type =
        *rc::gen::elementOf(std::vector<DType>{DType::f64, DType::f32, DType::f16, DType::bf16});
    const double scale = *rc::gen::elementOf(std::vector<double>{0.01, 1, 100});
    const bool whole = *rc::gen::arbitrary<bool>();
    const Shape shape{64, *rc::gen::inRange<std::int64_t>(4, 20)};
    const auto channel = *rc::gen::inRange<std::int64_t>(0, shape[1]);
    const auto p = changed(type, shape, *rc::gen::inRange(0u, 1000u), scale, [&](const Index& at, double x) {
        if (!whole && at[1] != channel) return x;
        return std::clamp(x, -0.9 * scale, 0.9 * scale);
    });
    const auto j = judged(p.reference, p.candidate);
    RC_ASSERT(j.find("clipped"));
    RC_ASSERT(std::fabs(j.number("clipped", "limit") - 0.9 * scale) < 0.01 * scale);
    if (!whole) RC_ASSERT(j.number("clipped", "index") == static_cast<double>(channel));
    RC_ASSERT(j.bug());
}

TEST(Clipped, BothSidesAtOneLimitAreNot) {
    const auto relu6 = [](double x) { return std::clamp(x, 0.0, 1.0); };
    const auto r = normals(1000, 5);
    const auto j = judged(as(mapped(r, relu6), DType::f32),
                          as(mapped(r, [&](double x) { return relu6(x * (1 + 1e-6)); }), DType::f32));
    EXPECT_FALSE(j.find("clipped"));
    EXPECT_EQ(j.verdict, PairClass::drift) << j.alarms();
}

TEST(Clipped, PartsOfIntegerSumsThatWereCutOff) {
    std::vector<double> r, c;
    const auto x = normals(64 * 400, 6, 20000);
    for (std::size_t i = 0; i < 400; ++i) {
        const double size = i % 3 ? 0.05 : 2; // of its terms
        double exact = 0, cut = 0;
        for (std::size_t k = 0; k < 64; ++k) {
            const double term = std::nearbyint(size * std::fabs(x[i * 64 + k])) * (i % 2 ? 1 : -1);
            exact += term;
            cut += std::clamp(term, -32768.0, 32767.0);
        }
        r.push_back(exact);
        c.push_back(cut);
    }
    const auto j = judged(as(r, DType::i32), as(c, DType::i32));
    ASSERT_TRUE(j.find("clipped"));
    EXPECT_TRUE(j.bug());
}

TEST(FlushToZero, OnlyWhatIsSubnormalMayVanish) {
    auto r = mapped(normals(500, 7), [](double x) { return x * 1e-38; });
    const auto flushed = mapped(r, [](double x) { return std::fabs(x) < 0x1p-126 ? 0 : x; });
    const auto j = judged(as(r, DType::f32), as(flushed, DType::f32));
    ASSERT_TRUE(j.find("flush-to-zero"));
    EXPECT_EQ(j.verdict, PairClass::drift) << j.alarms();
    const auto more = mapped(r, [](double x) { return std::fabs(x) < 0x1p-125 ? 0 : x; });
    EXPECT_FALSE(judged(as(r, DType::f32), as(more, DType::f32)).find("flush-to-zero"));
}

TEST(ErrorFloor, AQuantisedTensorHasItsStepAndChannelsHaveTheirs) {
    const auto r = normals(64 * 32, 8);
    const double step = 0.03;
    const auto grid =
        judged(as(r, DType::f32, {64, 32}),
               as(mapped(r, [&](double x) { return step * std::nearbyint(x / step); }), DType::f32, {64, 32}),
               declaring("int8-per-tensor"));
    ASSERT_TRUE(grid.find("error-floor"));
    EXPECT_NEAR(grid.number("error-floor", "step"), step, 1e-4);
    EXPECT_EQ(grid.verdict, PairClass::drift) << grid.alarms();
    const auto p = changed(DType::f32, {64, 32}, 9, 1, [](const Index& at, double x) {
        const double s = 0.02 * (1 + static_cast<double>(at[1]) / 7);
        return s * std::nearbyint(x / s);
    });
    const auto channels = judged(p.reference, p.candidate, declaring("int8-per-channel-weights"));
    ASSERT_TRUE(channels.find("error-floor"));
    EXPECT_EQ(channels.number("error-floor", "axis"), 1);
    EXPECT_EQ(channels.verdict, PairClass::drift) << channels.alarms();
}

TEST(ErrorFloor, RelativeNoiseHasNone) {
    const auto p =
        changed(DType::f32, {64, 64}, 10, 1, [](const Index& at, double x) { return jitter(at, x, 1e-3); });
    EXPECT_FALSE(judged(p.reference, p.candidate).find("error-floor"));
}

TEST(RoundingNoise, AProductIsJudgedByItsTermsNotByItsResult) {
    const auto p = product(32, 256, 32, 11, 11, 0); // TF32 operands
    const auto declared = judged(p.exact, p.candidate, knowing(p, "tf32-operands"));
    EXPECT_TRUE(declared.find("rounding-noise"));
    EXPECT_EQ(declared.verdict, PairClass::drift) << declared.alarms();
    EXPECT_GT(declared.summary.maxRel.value, 0.01); // where terms cancel
    const auto undeclared = judged(p.exact, p.candidate, knowing(p));
    EXPECT_EQ(undeclared.verdict, PairClass::drift) << undeclared.alarms();
    // Four bits less are no rounding that has a name.
    const auto coarse = product(32, 256, 32, 11, 5, 0);
    EXPECT_FALSE(judged(coarse.exact, coarse.candidate, knowing(coarse)).find("rounding-noise"));
    EXPECT_GE(judged(coarse.exact, coarse.candidate, knowing(coarse)).verdict, PairClass::unclear);
}

TEST(Cancellation, LargeRelativeErrorsOfSmallResultsAreDrift) {
    const auto p = product(48, 256, 48, 12, 0, 24);
    const auto j = judged(p.exact, p.candidate);
    EXPECT_EQ(j.verdict, PairClass::drift) << j.alarms();
    EXPECT_TRUE(j.find("cancellation"));
}

TEST(Cancellation, AOnePassVarianceLosesTheRowsWithALargeMean) {
    const std::int64_t rows = 8, width = 64;
    std::vector<double> x, r, c;
    const auto noise = normals(static_cast<std::size_t>(rows * width), 13);
    for (std::int64_t i = 0; i < rows; ++i) {
        const double mean = i < 5 ? 0.1 * static_cast<double>(i) : 3000.0 * static_cast<double>(i);
        double exact = 0, exact2 = 0;
        float sum = 0, sum2 = 0;
        std::vector<float> row;
        for (std::int64_t k = 0; k < width; ++k) {
            row.push_back(static_cast<float>(mean + noise[static_cast<std::size_t>(i * width + k)]));
            x.push_back(row.back());
            exact += row.back();
            sum += row.back();
            sum2 += row.back() * row.back();
        }
        exact /= static_cast<double>(width);
        for (const float v : row) exact2 += (v - exact) * (v - exact) / static_cast<double>(width);
        const float m = sum / static_cast<float>(width), variance = sum2 / static_cast<float>(width) - m * m;
        for (const float v : row) {
            r.push_back((v - exact) / std::sqrt(exact2 + 1e-5));
            c.push_back((v - m) / std::sqrt(std::max(variance, 0.0f) + 1e-5f));
        }
    }
    JudgeContext context = declaring("", R"({"op":"layernorm","eps":1e-5})");
    context.inputs = {{"x", as(x, DType::f32, {rows, width})}};
    const auto reference = as(r, DType::f32, {rows, width}), candidate = as(c, DType::f32, {rows, width});
    const auto j = judged(reference, candidate, context);
    ASSERT_TRUE(j.find("cancellation"));
    EXPECT_EQ(kindOf(j, "cancellation"), FindingClass::bug);
    EXPECT_TRUE(j.bug());
    context.declared = *Declared::parse("one-pass-variance");
    EXPECT_EQ(kindOf(judged(reference, candidate, context), "cancellation"), FindingClass::drift);
}

TEST(SmoothError, AnotherFormulaIsAFunctionOfTheInput) {
    std::vector<double> x = normals(3000, 14, 2), r, c;
    for (const double v : x) {
        r.push_back(0.5 * v * (1 + std::erf(v / std::sqrt(2))));
        c.push_back(0.5 * v * (1 + std::tanh(0.7978845608 * (v + 0.044715 * v * v * v))));
    }
    JudgeContext context = declaring("", R"({"op":"gelu"})");
    context.inputs = {{"x", as(x, DType::f32)}};
    const auto j = judged(as(r, DType::f32), as(c, DType::f32), context);
    EXPECT_FALSE(j.find("rounding-noise"));
    EXPECT_GE(j.verdict, PairClass::unclear);
    EXPECT_NE(std::find(j.cautions.begin(), j.cautions.end(), "function-of-input"), j.cautions.end());
}

TEST(SmoothError, ADenseErrorWithoutOutliersIsNoiseOnlyIfItLooksRandom) {
    const auto r = normals(4096, 15), noise = normals(4096, 16, 0.004);
    auto smooth = mapped(r, [](double x) { return x + 0.006 * std::sin(2 * x); });
    std::vector<double> random(r.size());
    for (std::size_t i = 0; i < r.size(); ++i) random[i] = r[i] + noise[i];
    const auto reference = as(r, DType::f32, {64, 64});
    const auto regular = judged(reference, as(smooth, DType::f32, {64, 64}));
    EXPECT_FALSE(regular.find("rounding-noise"));
    EXPECT_EQ(regular.verdict, PairClass::unclear);
    EXPECT_TRUE(judged(reference, as(random, DType::f32, {64, 64})).find("rounding-noise"));
}
