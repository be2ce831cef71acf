// A mask against a scan of the elements it leaves.
#include <gtest/gtest.h>

#include "compare/scan.h"
#include "compare/verdict.h"
#include "make_tensor.h"

namespace divdet {
namespace {

using test::f64;
using test::kInf;
using test::kNan;
using test::normals;

Tensor maskOf(const std::vector<std::uint8_t>& values, DType t = DType::boolean) {
    return tensorOf<std::uint8_t>(t, {static_cast<std::int64_t>(values.size())}, values);
}

TEST(Mask, GivesTheSummaryOfTheElementsItLeaves) {
    for (std::size_t n : {5u, 4097u, 300001u}) {
        auto r = normals(n, 1), c = r;
        const auto noise = normals(n, 2, 1e-3);
        std::vector<std::uint8_t> mask(n);
        std::vector<double> keptR, keptC;
        std::vector<std::int64_t> index;
        for (std::size_t i = 0; i < n; ++i) {
            c[i] += noise[i];
            if (i % 11 == 3) c[i] = i % 2 ? kNan : kInf;
            if (i % 13 == 4) r[i] = 0;
            mask[i] = i % 3 == 0 ? 0 : static_cast<std::uint8_t>(i % 7 + 1);
            if (!mask[i]) continue;
            keptR.push_back(r[i]);
            keptC.push_back(c[i]);
            index.push_back(static_cast<std::int64_t>(i));
        }
        const Tensor tr = f64(r), tc = f64(c), tm = maskOf(mask), kr = f64(keptR), kc = f64(keptC);
        const Tolerance t{Rule::allclose, 1e-3, 1e-4, false};
        ScanSettings settings{t};
        settings.mask = tm.view();
        const Summary a = *scan(tr.view(), tc.view(), settings), b = *scan(kr.view(), kc.view(), {t});
        const auto at = [&](std::int64_t i) { return i < 0 ? i : index[static_cast<std::size_t>(i)]; };
        EXPECT_EQ(a.elements, static_cast<std::int64_t>(keptR.size()));
        EXPECT_EQ(a.finite, b.finite);
        EXPECT_EQ(a.maxAbs.value, b.maxAbs.value);
        EXPECT_EQ(a.maxAbs.index, at(b.maxAbs.index));
        EXPECT_EQ(a.maxRel.value, b.maxRel.value);
        EXPECT_EQ(a.maxRel.index, at(b.maxRel.index));
        EXPECT_EQ(a.infiniteRel, b.infiniteRel);
        EXPECT_EQ(a.nan.candidate, b.nan.candidate);
        EXPECT_EQ(a.inf.candidate, b.inf.candidate);
        EXPECT_EQ(a.zero.reference, b.zero.reference);
        EXPECT_EQ(a.never, b.never);
        EXPECT_EQ(a.ulpHistogram, b.ulpHistogram);
        EXPECT_EQ(a.frontier.hull(), b.frontier.hull());
        EXPECT_EQ(a.frontier.stairs(), b.frontier.stairs());
        EXPECT_NEAR(a.rms, b.rms, 1e-12 * b.rms);
        EXPECT_EQ(a.at.mismatches, b.at.mismatches);
        EXPECT_EQ(a.at.firstMismatch, at(b.at.firstMismatch));
        EXPECT_EQ(a.at.worst.index, at(b.at.worst.index));
        const AtTolerance again = *recount(tr.view(), tc.view(), t, {}, tm.view());
        EXPECT_EQ(again.mismatches, b.at.mismatches);
        EXPECT_EQ(again.firstMismatch, at(b.at.firstMismatch));
    }
}

TEST(Mask, HidesTheOnlyDifference) {
    const Tensor r = f64({1, 2, kNan}), c = f64({1, 5, 3}), m = maskOf({1, 0, 0}, DType::u8);
    ScanSettings settings{{Rule::allclose, 0, 0, false}};
    settings.mask = m.view();
    const Summary s = *scan(r.view(), c.view(), settings);
    EXPECT_EQ(s.elements, 1);
    EXPECT_TRUE(s.bitIdentical);
    EXPECT_EQ(s.maxAbs.index, 0);
    EXPECT_EQ(s.nan.reference, 0);
    EXPECT_EQ(s.tiles.maxAbs, (std::vector<float>{0, 0, 0}));
    EXPECT_EQ(judge(s, settings.tolerance).verdict, Verdict::within);
}

TEST(Mask, MayBeStridedAndMayLeaveNothing) {
    const Tensor r = f64({1, 2, 3, 4}), c = f64({1, 9, 3, 9}), m = maskOf({1, 7, 0, 7, 1, 7, 0, 7});
    ScanSettings settings{{Rule::allclose, 0, 0, false}};
    settings.mask = TensorView{DType::boolean, {4}, {2}, m.view().data, false};
    EXPECT_EQ(scan(r.view(), c.view(), settings)->at.mismatches, 0);
    settings.mask->data = m.view().data + 2;
    settings.mask->strides = {4}; // 0, 0: nothing is left
    settings.mask->shape = {2};
    const Tensor r2 = f64({1, 2}), c2 = f64({8, 9});
    const Summary none = *scan(r2.view(), c2.view(), settings);
    EXPECT_EQ(none.elements, 0);
    EXPECT_EQ(none.at.mismatches, 0);
    EXPECT_EQ(none.maxAbs.index, -1);
}

TEST(Mask, OfAnotherShapeOrTypeIsRefused) {
    const Tensor a = f64({1, 2}), shape = maskOf({1}), type = f64({1, 1});
    ScanSettings settings;
    settings.mask = shape.view();
    EXPECT_EQ(scan(a.view(), a.view(), settings).error().code, ErrorCode::mismatch);
    EXPECT_EQ(recount(a.view(), a.view(), {}, {}, type.view()).error().code, ErrorCode::mismatch);
}

} // namespace
} // namespace divdet
