// The one-pass scan against plain loops over the definition, special values and merges included.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <tbb/global_control.h>

#include "compare/scan.h"
#include "compare/ulp.h"
#include "compare/verdict.h"
#include "make_tensor.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

using test::f32;
using test::f64;
using test::kInf;
using test::kNan;
using test::normals;

Summary scanned(const Tensor& r, const Tensor& c, Tolerance t = {}) {
    auto s = scan(r.view(), c.view(), {t});
    EXPECT_TRUE(s.ok());
    return *s;
}

/// Everything below is written from the definitions, one element at a time.
struct Plain {
    std::int64_t mismatches = 0, firstMismatch = -1, infiniteRel = 0, finite = 0;
    Extreme maxAbs, maxRel;
    double sum2 = 0, ref2 = 0;
};

Plain plain(const std::vector<double>& r, const std::vector<double>& c, const Tolerance& t) {
    Plain p;
    for (std::size_t i = 0; i < r.size(); ++i) {
        const auto at = static_cast<std::int64_t>(i);
        if (!passes(t, c[i], r[i])) {
            if (p.firstMismatch < 0) p.firstMismatch = at;
            ++p.mismatches;
        }
        if (!std::isfinite(r[i]) || !std::isfinite(c[i])) continue;
        const double e = std::fabs(c[i] - r[i]);
        p.finite += std::isfinite(e);
        if (p.maxAbs.index < 0 || e > p.maxAbs.value) p.maxAbs = {e, at};
        if (r[i] == 0)
            p.infiniteRel += c[i] != 0;
        else if (p.maxRel.index < 0 || e / std::fabs(r[i]) > p.maxRel.value)
            p.maxRel = {e / std::fabs(r[i]), at};
        if (!std::isfinite(e)) continue;
        p.sum2 += e * e;
        p.ref2 += r[i] * r[i];
    }
    return p;
}

void expectMatches(const std::vector<double>& r, const std::vector<double>& c, const Tolerance& t) {
    const Summary s = scanned(f64(r), f64(c), t);
    const Plain p = plain(r, c, t);
    EXPECT_EQ(s.at.mismatches, p.mismatches);
    EXPECT_EQ(s.at.firstMismatch, p.firstMismatch);
    EXPECT_EQ(s.finite, p.finite);
    EXPECT_EQ(s.infiniteRel, p.infiniteRel);
    EXPECT_EQ(s.maxAbs.value, p.maxAbs.value);
    EXPECT_EQ(s.maxAbs.index, p.maxAbs.index);
    EXPECT_EQ(s.maxRel.value, p.maxRel.value);
    EXPECT_EQ(s.maxRel.index, p.maxRel.index);
    if (p.finite && std::isfinite(p.sum2)) {
        EXPECT_NEAR(s.rms, std::sqrt(p.sum2 / static_cast<double>(p.finite)), 1e-12 * (s.rms + 1e-300));
    }
    const bool allPass = p.mismatches == 0;
    const PairVerdict v = judge(s, t);
    if (!v.allNan) {
        EXPECT_EQ(v.verdict == Verdict::outside, !allPass);
    }
    const CountBounds b = s.histogram.mismatches(t);
    EXPECT_LE(b.low + s.neverPass(t.equalNan), p.mismatches);
    EXPECT_GE(b.high + s.neverPass(t.equalNan), p.mismatches);
}

TEST(Scan, MatchesTheDefinitionOnNormalData) {
    for (std::size_t n : {1u, 7u, 4096u, 4097u, 300000u}) {
        const auto r = normals(n, 1);
        auto c = r;
        const auto noise = normals(n, 2, 1e-3);
        for (std::size_t i = 0; i < n; ++i) c[i] += noise[i];
        for (Rule rule : {Rule::allclose, Rule::either})
            for (double rtol : {1e-2, 1e-5, 0.0}) expectMatches(r, c, {rule, rtol, 1e-3, false});
    }
}

RC_GTEST_PROP(Scan, MatchesTheDefinitionOnAnything, ()) {
    const auto value =
        rc::gen::oneOf(rc::gen::element(0.0, -0.0, kNan, kInf, -kInf, 1e308, -1e308, 5e-324, 1.0),
                       rc::gen::map(rc::gen::inRange(-100, 100), [](int i) { return i * 0.25; }));
    const auto n = *rc::gen::inRange(1, 200);
    const auto r = *rc::gen::container<std::vector<double>>(static_cast<std::size_t>(n), value);
    const auto c = *rc::gen::container<std::vector<double>>(static_cast<std::size_t>(n), value);
    expectMatches(r, c,
                  {*rc::gen::element(Rule::allclose, Rule::either), *rc::gen::element(0.0, 1e-5, 0.5, 2.0),
                   *rc::gen::element(0.0, 1e-8, 0.25), *rc::gen::arbitrary<bool>()});
}

TEST(Scan, ATensorAgainstItselfIsClean) {
    for (DType t : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e5m2, DType::i32}) {
        const Tensor x = *converted(f64({-3, 0, 1, 2, 100}), t);
        const Summary s = scanned(x, x, {Rule::allclose, 0, 0, false});
        EXPECT_TRUE(s.bitIdentical);
        EXPECT_EQ(s.at.mismatches, 0);
        EXPECT_EQ(s.maxAbs.value, 0);
        EXPECT_EQ(*s.maxUlp, 0);
        EXPECT_EQ(s.sqnrDb, kInf);
        EXPECT_EQ(judge(s, {Rule::allclose, 0, 0, false}).verdict, Verdict::within);
    }
}

TEST(Scan, NanNeverPassesUnlessBothAndAsked) {
    const Tensor r = f64({1, kNan, kNan, 2}), c = f64({1, kNan, 0, kNan});
    EXPECT_EQ(scanned(r, c, {Rule::allclose, 1e300, 1e300, false}).at.mismatches, 3);
    const Summary s = scanned(r, c, {Rule::allclose, 1e300, 1e300, true});
    EXPECT_EQ(s.at.mismatches, 2);
    EXPECT_EQ(s.nan.reference, 2);
    EXPECT_EQ(s.nan.candidate, 2);
    EXPECT_EQ(s.nan.both, 1);
    EXPECT_EQ(s.neverPass(true), 2);
    EXPECT_EQ(s.neverPass(false), 3);
}

TEST(Scan, InfinitiesPassOnlyAgainstThemselves) {
    const Summary s = scanned(f64({kInf, kInf, -kInf, 1, kInf}), f64({kInf, -kInf, -kInf, kInf, 3}),
                              {Rule::allclose, 1e300, 1e300, false});
    EXPECT_EQ(s.at.mismatches, 3);
    EXPECT_EQ(s.inf.reference, 4);
    EXPECT_EQ(s.inf.candidate, 4);
    EXPECT_EQ(s.inf.both, 2);
    EXPECT_EQ(s.maxAbs.index, -1); // no pair is finite
}

TEST(Scan, ADifferenceThatOverflowsFails) {
    const Summary s = scanned(f64({1e308}), f64({-1e308}), {Rule::allclose, 10, 1e308, false});
    EXPECT_EQ(s.at.mismatches, 1);
    EXPECT_EQ(s.overflowedError, 1);
    EXPECT_EQ(judge(s, {Rule::allclose, 10, 1e308, false}).verdict, Verdict::outside);
}

TEST(Scan, SignedZerosAreEqualAndCounted) {
    const Summary s = scanned(f64({0.0, -0.0, 0.0}), f64({-0.0, 0.0, 0.0}), {Rule::allclose, 0, 0, false});
    EXPECT_EQ(s.at.mismatches, 0);
    EXPECT_EQ(s.signedZero, 2);
    EXPECT_FALSE(s.bitIdentical);
}

TEST(Scan, IntegersAreComparedExactly) {
    const std::vector<std::int64_t> r{INT64_MIN, INT64_MAX, (std::int64_t{1} << 53) + 1};
    const std::vector<std::int64_t> c{INT64_MAX, INT64_MAX, std::int64_t{1} << 53};
    const Summary s = scanned(tensorOf<std::int64_t>(DType::i64, {3}, r),
                              tensorOf<std::int64_t>(DType::i64, {3}, c), {Rule::allclose, 0, 0, false});
    EXPECT_EQ(s.at.mismatches, 2); // through double the last pair would be equal
    EXPECT_EQ(s.maxAbs.value, 18446744073709551615.0);
    EXPECT_EQ(s.maxAbs.index, 0);
    const std::vector<std::uint64_t> big{UINT64_MAX}, small{0};
    EXPECT_EQ(scanned(tensorOf<std::uint64_t>(DType::u64, {1}, small),
                      tensorOf<std::uint64_t>(DType::u64, {1}, big))
                  .maxAbs.value,
              18446744073709551615.0);
}

TEST(Scan, ComplexElementsGoByModulus) {
    const std::vector<double> r{3, 4, 0, 0}, c{3, 4.5, 0.3, 0.4};
    TensorBuilder br(DType::c128, {2}), bc(DType::c128, {2});
    std::copy(r.begin(), r.end(), br.as<double>().begin());
    std::copy(c.begin(), c.end(), bc.as<double>().begin());
    const Summary s =
        scanned(std::move(br).finish(), std::move(bc).finish(), {Rule::allclose, 0.1, 0, false});
    EXPECT_DOUBLE_EQ(s.maxAbs.value, 0.5);
    EXPECT_DOUBLE_EQ(s.maxRel.value, 0.1);
    EXPECT_EQ(s.infiniteRel, 1);
    EXPECT_EQ(s.at.mismatches, 1);
}

TEST(Scan, WorstIsTheLargestShareOfItsBound) {
    // excess is larger at 0, the ratio is larger at 1; equal ratios: the first.
    const Summary s = scanned(f64({100, 1, 1}), f64({103, 1.05, 0.95}), {Rule::allclose, 0.01, 0, false});
    EXPECT_EQ(s.at.worst.index, 1);
    EXPECT_DOUBLE_EQ(s.at.worst.bound, 0.01);
    EXPECT_EQ(s.at.mismatches, 3);
    EXPECT_EQ(s.at.firstMismatch, 0);
}

TEST(Scan, AnInfiniteRelativeErrorDoesNotHideTheLargestFiniteOne) {
    const Summary s = scanned(f64({0, 2, 4}), f64({1, 3, 5}));
    EXPECT_EQ(s.infiniteRel, 1);
    EXPECT_DOUBLE_EQ(s.maxRel.value, 0.5);
    EXPECT_EQ(s.maxRel.index, 1);
}

TEST(Scan, SignificantMaxRelLeavesOutSmallReferences) {
    const Tolerance t{Rule::allclose, 1e-2, 1e-3, false}; // |r| >= 0.1 counts
    const Summary s = scanned(f64({1e-6, 1}), f64({1e-3, 1.5}), t);
    EXPECT_GT(s.maxRel.value, 900);
    EXPECT_DOUBLE_EQ(*s.at.significantMaxRel, 0.5);
    EXPECT_FALSE(scanned(f64({1e-6}), f64({1e-3}), t).at.significantMaxRel);
}

TEST(Scan, UlpsAreCountedInTheCoarserType) {
    const Tensor r = f64({1.0, -1.0}), c = f32({std::nextafter(1.0f, 2.0f), -1.0f});
    EXPECT_EQ(*scanned(r, c).maxUlp, 1);
    EXPECT_EQ(ulpDistance(-0.0, 0.0, DType::f32), 0);
    EXPECT_EQ(ulpDistance(std::numeric_limits<float>::denorm_min(), -std::numeric_limits<float>::denorm_min(),
                          DType::f32),
              2);
    const Summary s = scanned(f32({1e-3f}), f32({-1e-3f}));
    EXPECT_TRUE(s.ulpSignFlips);
    EXPECT_FALSE(scanned(f64({1}), *converted(f64({1}), DType::i64)).maxUlp == std::nullopt);
}

TEST(Scan, DoesNotDependOnTheNumberOfThreads) {
    const std::size_t n = 1'500'001;
    const auto r = normals(n, 3);
    auto c = r;
    const auto noise = normals(n, 4, 1e-4);
    for (std::size_t i = 0; i < n; ++i) c[i] *= 1 + noise[i];
    const Tensor tr = f64(r), tc = f64(c);
    std::vector<Summary> all;
    for (int threads : {1, 2, 7}) {
        tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
        all.push_back(scanned(tr, tc));
    }
    for (const Summary& s : all) {
        EXPECT_EQ(s.rms, all[0].rms);
        EXPECT_EQ(*s.bias, *all[0].bias);
        EXPECT_EQ(*s.cosine, *all[0].cosine);
        EXPECT_EQ(s.frontier.hull(), all[0].frontier.hull());
        EXPECT_EQ(s.frontier.stairs(), all[0].frontier.stairs());
        EXPECT_EQ(s.tiles.rms, all[0].tiles.rms);
        EXPECT_EQ(s.at.worst.index, all[0].at.worst.index);
    }
}

TEST(Scan, ReadsStridedAndSwappedViews) {
    const auto x = normals(12, 5);
    const Tensor plainTensor = f64(x, {3, 4});
    std::vector<double> columns(12), swappedBytes(12);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 4; ++j) columns[j * 3 + i] = x[i * 4 + j];
    for (std::size_t i = 0; i < 12; ++i)
        swappedBytes[i] = std::bit_cast<double>(__builtin_bswap64(std::bit_cast<std::uint64_t>(x[i])));
    const Tensor fortran = f64(columns), big = f64(swappedBytes);
    const TensorView f{DType::f64, {3, 4}, {8, 24}, fortran.view().data, false};
    const TensorView b{DType::f64, {3, 4}, {32, 8}, big.view().data, true};
    for (const TensorView& v : {f, b}) {
        auto s = scan(plainTensor.view(), v, {{Rule::allclose, 0, 0, false}});
        ASSERT_TRUE(s.ok());
        EXPECT_EQ(s->equal, 12);
    }
}

TEST(Scan, RecountEqualsAScanAtThatTolerance) {
    const auto r = normals(300000, 6);
    auto c = r;
    for (std::size_t i = 0; i < c.size(); i += 3) c[i] *= 1.01;
    const Tensor tr = f64(r), tc = f64(c);
    const Tolerance t{Rule::allclose, 1e-3, 1e-4, false};
    const AtTolerance a = *recount(tr.view(), tc.view(), t);
    const Summary s = scanned(tr, tc, t);
    EXPECT_EQ(a.mismatches, s.at.mismatches);
    EXPECT_EQ(a.worst.index, s.at.worst.index);
    EXPECT_EQ(a.significantMaxRel, s.at.significantMaxRel);
}

TEST(Scan, RefusesShapesThatDiffer) {
    const Tensor a = f64({1, 2}), b = f64({1, 2}, {1, 2});
    EXPECT_EQ(scan(a.view(), b.view(), {}).error().code, ErrorCode::mismatch);
}

TEST(Scan, StopsWhenCancelled) {
    const Tensor a = f64(normals(10000, 1));
    Progress p;
    p.token.cancel();
    EXPECT_EQ(scan(a.view(), a.view(), {}, p).error().code, ErrorCode::cancelled);
}

TEST(Scan, TilesFoldLargeTensorsAndKeepTheMaximum) {
    std::vector<double> r(700 * 1100, 1.0), c = r;
    c[699 * 1100 + 1099] = 3;
    c[0] = kNan;
    const Summary s = scanned(f64(r, {700, 1100}), f64(c, {700, 1100}));
    EXPECT_EQ(s.tiles.rows, 350);
    EXPECT_EQ(s.tiles.columns, 367);
    EXPECT_EQ(s.tiles.maxAbs.back(), 2.0f);
    EXPECT_TRUE(std::isinf(s.tiles.maxAbs.front()));
}

} // namespace
} // namespace divdet
