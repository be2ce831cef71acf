// What a scan meets on real machines: files that shrink, squares that leave the range of double, cancelling.
#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include "compare/scan.h"
#include "dump/file_bytes.h"
#include "make_tensor.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

using test::f64;
using test::normals;

TEST(ScanHazards, AFileThatShrinksUnderTheScanIsAnError) {
    namespace fs = std::filesystem;
    const fs::path path = fs::temp_directory_path() / fmt::format("divdet-shrinks-{}", ::getpid());
    constexpr std::int64_t kElements = 3'000'000;
    for (DType t : {DType::f32, DType::bf16, DType::i64, DType::c64}) {
        {
            std::ofstream out(path, std::ios::binary);
            const std::string zeros(static_cast<std::size_t>(kElements) * itemSize(t), '\0');
            out << zeros;
        }
        const auto file = FileBytes::open(path);
        ASSERT_TRUE(file.ok());
        const TensorView view{
            t, {kElements}, {static_cast<std::int64_t>(itemSize(t))}, (*file)->bytes().data(), false};
        ASSERT_TRUE(scan(view, view, {}).ok());
        fs::resize_file(path, 100'000);
        for (std::size_t threads : {1, 2, 7}) {
            const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, threads);
            EXPECT_EQ(scan(view, view, {}).error().code, ErrorCode::truncated);
            EXPECT_EQ(recount(view, view, {}).error().code, ErrorCode::truncated);
        }
    }
    fs::remove(path);
}

/// Scaling both sides by a power of two scales every mean and no ratio.
TEST(ScanHazards, SquaresBeyondDoubleKeepRmsAndRatios) {
    auto r = normals(5000, 1), c = r;
    const auto noise = normals(5000, 2, 1e-3);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] += noise[i];
    const Summary plain = *scan(f64(r).view(), f64(c).view(), {});
    for (double scale : {0x1p520, 0x1p800, 0x1p1000, 0x1p-520, 0x1p-540, 0x1p-900}) {
        auto x = r, y = c;
        for (double& v : x) v *= scale;
        for (double& v : y) v *= scale;
        const Summary s = *scan(f64(x).view(), f64(y).view(), {});
        EXPECT_NEAR(s.rms / scale, plain.rms, 1e-9 * plain.rms) << scale;
        EXPECT_NEAR(s.rmsReference / scale, plain.rmsReference, 1e-9 * plain.rmsReference);
        EXPECT_NEAR(s.meanAbs / scale, plain.meanAbs, 1e-9 * plain.meanAbs);
        EXPECT_NEAR(s.sqnrDb, plain.sqnrDb, 1e-7);
        EXPECT_NEAR(*s.cosine, *plain.cosine, 1e-9);
        ASSERT_TRUE(s.regression);
        EXPECT_NEAR(s.regression->gain, plain.regression->gain, 1e-9);
        EXPECT_NEAR(s.biasError / scale, plain.biasError, 1e-9 * plain.biasError);
    }
}

TEST(ScanHazards, OneHugeElementAmongOrdinaryOnes) {
    std::vector<double> r(10000, 1.0), c = r;
    r[5] = 1e200;
    c[5] = 3e200;
    c[9000] = 2;
    const Summary s = *scan(f64(r).view(), f64(c).view(), {});
    EXPECT_NEAR(s.rms, 2e200 / 100, 1e190); // sqrt((4e400 + 1) / 10000)
    EXPECT_NEAR(s.sqnrDb, 10 * std::log10(0.25), 1e-9);
    EXPECT_NEAR(s.meanAbs, 2e196, 1e186);
}

TEST(ScanHazards, CancellingStopsBetweenWavesAndProgressCountsUp) {
    const Tensor x = *converted(f64(normals(3'000'000, 3)), DType::f32);
    Progress p;
    std::vector<std::uint64_t> seen;
    p.report = [&](std::uint64_t done, std::uint64_t total, std::string_view) {
        EXPECT_EQ(total, 3'000'000u);
        seen.push_back(done);
        if (seen.size() == 2) p.token.cancel();
    };
    EXPECT_EQ(scan(x.view(), x.view(), {}, p).error().code, ErrorCode::cancelled);
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_LT(seen[0], seen[1]);
    EXPECT_LT(seen[1], 3'000'000u);
}

} // namespace
} // namespace divdet
