// The vector loops against the scan that goes element by element: the same bits in every field, for every
// pairing of dtypes, instruction set, number of threads, length and alignment.
#include <cmath>
#include <cstring>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <tbb/global_control.h>

#include "base/instruction_set.h"
#include "compare/scan.h"
#include "effort.h"
#include "make_tensor.h"
#include "same_summary.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

using test::expectSame;
using test::f64;
using test::kInf;
using test::kNan;
using test::normals;

constexpr std::array kTypes{DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2,
                            DType::i8,  DType::i16, DType::i32, DType::u8,   DType::u16,    DType::boolean};

bool isFloating(DType t) {
    return kind(t) == DTypeKind::floating;
}

/// Values that type t can hold: everything special for floating ones, small whole numbers for the others.
Tensor sample(DType t, std::size_t n, std::uint32_t seed, bool special) {
    auto values = normals(n, seed);
    for (std::size_t i = 0; i < n; ++i) {
        double& x = values[i];
        if (t == DType::boolean) x = x > 0;
        if (t == DType::u8 || t == DType::u16) x = std::round(std::fabs(x) * 60);
        if (t == DType::i8 || t == DType::i16 || t == DType::i32) x = std::round(x * 25);
        if (!isFloating(t) || !special) continue;
        const std::uint32_t pick = (static_cast<std::uint32_t>(i) * 2654435761u + seed * 40503u) >> 16;
        if (pick % 17 != 0) continue;
        constexpr double kOdd[] = {kNan,   kInf,    -kInf, 0.0,    -0.0,    1e-310, 5e-324, 1e308,  -1e308,
                                   3.4e38, -3.4e38, 1e-40, -1e-45, 65504.0, 6e-8,   1e-5,   -1e-30, 448.0};
        x = kOdd[pick / 17 % std::size(kOdd)];
        if (t == DType::f8e4m3 && std::isinf(x)) x = kNan;
    }
    return *converted(f64(values), t);
}

/// The second one near the first, so that small differences are there as well.
Tensor near(const Tensor& x, DType t, std::uint32_t seed) {
    const auto n = static_cast<std::size_t>(x.elements());
    std::vector<double> values(n);
    loadAsDouble(x.view(), 0, values);
    const auto noise = normals(n, seed, 1e-3);
    for (std::size_t i = 0; i < n; ++i) {
        if (isFloating(t) && i % 3) values[i] *= 1 + noise[i];
        if (!isFloating(t) && isFloating(x.dtype())) values[i] = std::round(std::fabs(values[i]));
        if (!isFloating(t))
            values[i] = values[i] < 100 ? std::max(values[i], t == DType::i8 ? -100.0 : 0.0) : 100;
        if (t == DType::boolean) values[i] = values[i] != 0;
    }
    return *converted(f64(values), t);
}

Summary elementwise(const TensorView& r, const TensorView& c, const Tolerance& t) {
    const Tensor ones = tensorOf<std::uint8_t>(
        DType::u8, r.shape, std::vector<std::uint8_t>(static_cast<std::size_t>(r.elements()), 1));
    ScanSettings settings{t};
    settings.mask = ones.view();
    return *scan(r, c, settings);
}

/// Puts the best instruction set back at the end of a test.
struct InstructionSetGuard {
    ~InstructionSetGuard() { EXPECT_TRUE(useInstructionSet("").ok()); }
};

void expectSameOnEverySet(const TensorView& r, const TensorView& c, const Tolerance& t,
                          const std::string& what) {
    const InstructionSetGuard guard;
    const Summary slow = elementwise(r, c, t);
    for (const std::string& set : instructionSets()) {
        ASSERT_TRUE(useInstructionSet(set).ok());
        const Summary fast = *scan(r, c, {t});
        expectSame(fast, slow, what + " on " + set);
        const AtTolerance again = *recount(r, c, t);
        EXPECT_EQ(again.mismatches, slow.at.mismatches);
        EXPECT_EQ(again.firstMismatch, slow.at.firstMismatch);
        EXPECT_EQ(again.worst.index, slow.at.worst.index);
        EXPECT_EQ(again.significantMaxRel, slow.at.significantMaxRel);
        const Summary verdict = *scan(r, c, {t, false, ScanDepth::verdict, {}});
        EXPECT_EQ(verdict.frontier.hull(), slow.frontier.hull());
        EXPECT_EQ(verdict.maxAbs.index, slow.maxAbs.index);
        EXPECT_EQ(verdict.maxRel.index, slow.maxRel.index);
        EXPECT_EQ(verdict.at.mismatches, slow.at.mismatches);
        EXPECT_EQ(verdict.nan.both, slow.nan.both);
        EXPECT_EQ(verdict.inf.candidate, slow.inf.candidate);
        EXPECT_EQ(verdict.equal, slow.equal);
        EXPECT_EQ(verdict.never, slow.never);
        EXPECT_EQ(verdict.infiniteRel, slow.infiniteRel);
        EXPECT_EQ(verdict.maxMagnitude, slow.maxMagnitude);
        EXPECT_EQ(verdict.minMagnitude, slow.minMagnitude);
        EXPECT_EQ(verdict.bitIdentical, slow.bitIdentical);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(FastScan, EqualsTheSlowOneForEveryPairingOfTypes) {
    // Whole blocks of every kind of data are below; under a sanitizer the pairings take part of one.
    const std::size_t n = test::effort(5000, 1100);
    for (DType r : kTypes)
        for (DType c : kTypes)
            for (bool special : {false, true}) {
                const Tensor x = sample(r, n, 3, special), y = sample(c, n, 4, special);
                const std::string what = fmt::format("{} {} special {}", name(r), name(c), special);
                expectSameOnEverySet(x.view(), y.view(), {Rule::allclose, 1e-2, 1e-3, special}, what);
                if (!isFloating(r) && isFloating(c)) continue;
                const Tensor z = near(sample(r, n, 5, false), c, 6);
                expectSameOnEverySet(sample(r, n, 5, false).view(), z.view(),
                                     {Rule::either, 1e-3, 1e-4, false}, what + " near");
                if (HasFailure()) return;
            }
}

TEST(FastScan, EqualsTheSlowOneAtEdgesOfBlocksAndChunks) {
    constexpr int kChunk = 64 * 4096;
    for (int n :
         {0, 1, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 4095, 4096, 4097, kChunk - 1, kChunk, kChunk + 1}) {
        const Tensor x = sample(DType::f32, static_cast<std::size_t>(n), 7, n > 100),
                     y = near(x, DType::f32, 8);
        expectSameOnEverySet(x.view(), y.view(), {Rule::allclose, 1e-3, 1e-5, false}, std::to_string(n));
    }
}

TEST(FastScan, EqualsTheSlowOneForShapesOfTiles) {
    for (const Shape& shape :
         std::vector<Shape>{{3, 700, 5},
                            {2, 9, 1030},
                            {1, 4200},
                            {3, 6000},
                            {40, 513},
                            {130, 4, 17},
                            // lines of whole vectors, a block in one line or over several
                            {1, 4096},
                            {5, 4096},
                            {2, 700, 64},
                            {9, 640},
                            {4, 3, 1984},
                            {64}}) {
        const auto n = static_cast<std::size_t>(*elementCount(shape));
        for (bool special : {false, true}) {
            const Tensor x = sample(DType::f32, n, 9, special), y = near(x, DType::f32, 10);
            TensorView r = x.view(), c = y.view();
            r.shape = c.shape = shape;
            r.strides = c.strides = rowMajorStrides(shape, 4);
            expectSameOnEverySet(r, c, {}, fmt::format("{} special {}", toString(shape), special));
        }
    }
}

TEST(FastScan, ReadsUnalignedReversedAndSwappedBytes) {
    const std::size_t n = 9001;
    for (DType t : {DType::f32, DType::bf16, DType::f16, DType::f64}) {
        const Tensor x = sample(t, n, 11, true), y = near(x, t, 12);
        const std::size_t item = itemSize(t);
        std::vector<std::byte> odd(n * item + 1), reversed(n * item), swapped(n * item);
        std::memcpy(odd.data() + 1, y.view().data, n * item);
        for (std::size_t i = 0; i < n; ++i) {
            std::memcpy(reversed.data() + (n - 1 - i) * item, y.view().data + i * item, item);
            for (std::size_t b = 0; b < item; ++b)
                swapped[i * item + b] = y.view().data[i * item + item - 1 - b];
        }
        const Summary expected = *scan(x.view(), y.view(), {});
        const auto step = static_cast<std::int64_t>(item);
        const Shape shape = x.shape();
        const std::vector<std::pair<std::string, TensorView>> views{
            {"one byte off", {t, shape, {step}, odd.data() + 1, false}},
            {"reversed", {t, shape, {-step}, reversed.data() + (n - 1) * item, false}},
            {"swapped", {t, shape, {step}, swapped.data(), true}}};
        for (const auto& [what, view] : views) {
            Summary s = *scan(x.view(), view, {});
            s.bitIdentical = expected.bitIdentical; // found by bytes or by values
            expectSame(s, expected, what + " " + std::string(name(t)));
            expectSame(elementwise(x.view(), view, {}), s, "slow " + what);
        }
    }
}

TEST(FastScan, DoesNotDependOnThreadsOrInstructionSet) {
    const InstructionSetGuard guard;
    const std::size_t n = 2'100'001;
    const auto values = normals(n, 13);
    std::vector<float> r(values.begin(), values.end()), c = r;
    const auto noise = normals(n, 14, 1e-4);
    for (std::size_t i = 0; i < n; ++i) c[i] *= 1 + static_cast<float>(noise[i]);
    const Tensor x = test::f32(r), y = test::f32(c);
    const Summary expected = elementwise(x.view(), y.view(), {Rule::allclose, 3e-4, 0, false});
    for (const std::string& set : instructionSets())
        for (std::size_t threads : {1, 2, 7}) {
            ASSERT_TRUE(useInstructionSet(set).ok());
            const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
            expectSame(*scan(x.view(), y.view(), {{Rule::allclose, 3e-4, 0, false}}), expected,
                       fmt::format("{} {}", set, threads));
        }
}

/// Data on which filters are easily wrong: ties, one line, steps, tolerances that elements meet exactly.
TEST(FastScan, KeepsTheFrontierOfStructuredErrors) {
    const std::size_t n = 70000;
    const auto values = normals(n, 15);
    const auto check = [&](const std::string& what, auto&& f, const Tolerance& t) {
        std::vector<float> r(n), c(n);
        for (std::size_t i = 0; i < n; ++i) {
            r[i] = static_cast<float>(values[i]);
            c[i] = f(r[i], i);
        }
        expectSameOnEverySet(test::f32(r).view(), test::f32(c).view(), t, what);
    };
    const Tolerance t{Rule::allclose, 1e-3, 1e-4, false};
    check(
        "zero candidate", [](float, std::size_t) { return 0.f; }, t);
    check("doubled", [](float x, std::size_t) { return 2 * x; }, {Rule::allclose, 1, 0, false});
    check("negated", [](float x, std::size_t) { return -x; }, {Rule::either, 2, 0, false});
    check(
        "one step", [](float x, std::size_t) { return std::nextafter(x, 9.f); }, t);
    check("constant", [](float x, std::size_t) { return x + 0.25f; }, {Rule::allclose, 0, 0.25, false});
    check(
        "equal", [](float x, std::size_t) { return x; }, t);
    check(
        "late", [&](float x, std::size_t i) { return i == n - 1 ? x + 1 : x; }, t);
    check(
        "growing", [](float x, std::size_t i) { return x * (1 + 1e-7f * static_cast<float>(i)); }, t);
    check(
        "quantised", [](float x, std::size_t) { return std::round(x * 64) / 64; }, t);
    check("tiny", [](float x, std::size_t) { return x + 1e-44f; }, {Rule::allclose, 0, 0, false});
}

RC_GTEST_PROP(FastScan, EqualsTheSlowOneOnAnything, ()) {
    const auto value = rc::gen::oneOf(
        rc::gen::element(0.0, -0.0, kNan, kInf, -kInf, 3e38, -3e38, 1e-45, 1.0, 1e-38),
        rc::gen::map(rc::gen::inRange(-100, 100), [](int i) { return i * 0.25; }),
        rc::gen::map(rc::gen::inRange(-2000, 2000), [](int i) { return std::ldexp(1 + i % 7, i % 140); }));
    const auto n = static_cast<std::size_t>(*rc::gen::inRange(1, 300));
    const auto a = *rc::gen::container<std::vector<double>>(n, value),
               b = *rc::gen::container<std::vector<double>>(n, value);
    const std::vector<float> r(a.begin(), a.end()), c(b.begin(), b.end());
    const Tolerance t{*rc::gen::element(Rule::allclose, Rule::either), *rc::gen::element(0.0, 1e-5, 0.5, 2.0),
                      *rc::gen::element(0.0, 1e-8, 0.25), *rc::gen::arbitrary<bool>()};
    expectSameOnEverySet(test::f32(r).view(), test::f32(c).view(), t, "f32");
    expectSameOnEverySet(f64(a).view(), f64(b).view(), t, "f64");
    RC_ASSERT(!testing::Test::HasFailure());
}

TEST(FastScan, RefusesAnUnknownInstructionSet) {
    EXPECT_EQ(useInstructionSet("abacus").error().code, ErrorCode::usage);
    EXPECT_EQ(instructionSets().back(), "scalar");
}

} // namespace
} // namespace divdet
