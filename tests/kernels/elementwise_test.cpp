#include "host/elementwise.h"

#include <random>

#include "host/rows.h"
#include "kernel_test_support.h"
#include "numerics/norm.h"
#include "numerics/philox.h"
#include "numerics/quantize.h"

using namespace divdet;
using numerics::Order;
using numerics::SumOrder;

namespace {

class ElementwiseTest : public AllTargets {
protected:
    template <class Host, class Scalar>
    void expectSame(const std::vector<float>& x, const Host& hostFunction, const Scalar& scalar) {
        forEachTarget([&] {
            std::vector<float> y(x.size());
            hostFunction(x.data(), y.data(), x.size());
            int count = 0;
            for (std::size_t i = 0; i < x.size(); ++i) count += !sameValue(y[i], scalar(x[i]));
            EXPECT_EQ(count, 0);
        });
    }
};

class RowsTest : public AllTargets {};

} // namespace

TEST_F(ElementwiseTest, FunctionsEqualTheirScalarForm) {
    Values values(1);
    auto x = values.normal(20011, 3.0f);
    const auto wild = values.anyBits(5000);
    x.insert(x.end(), wild.begin(), wild.end());
    expectSame(x, host::gelu, numerics::geluFloat);
    expectSame(x, host::geluTanh, numerics::geluTanhFloat);
    expectSame(x, host::silu, numerics::siluFloat);
    const auto of = [](host::Elementwise f) {
        return [f](const float* in, float* out, std::size_t n) { host::apply(f, in, out, n); };
    };
    expectSame(x, of(host::Elementwise::exp), numerics::expFloat);
    expectSame(x, of(host::Elementwise::tanh), numerics::tanhFloat);
    expectSame(x, of(host::Elementwise::erf), numerics::erfFloat);
    expectSame(x, of(host::Elementwise::log), numerics::logFloat);
    expectSame(x, of(host::Elementwise::rsqrt), numerics::rsqrtFloat);
}

TEST_F(ElementwiseTest, RoundingEqualsItsScalarForm) {
    Values values(2);
    auto x = values.anyBits(30013);
    const auto ordinary = values.normal(30013);
    x.insert(x.end(), ordinary.begin(), ordinary.end());
    const auto to = [](host::RoundFormat f) {
        return [f](const float* in, float* out, std::size_t n) { host::roundTo(f, in, out, n); };
    };
    using host::RoundFormat;
    using numerics::Tf32Rounding;
    expectSame(x, to(RoundFormat::tf32NearestEven),
               [](float v) { return roundToTf32(v, Tf32Rounding::nearestEven); });
    expectSame(x, to(RoundFormat::tf32NearestAway),
               [](float v) { return roundToTf32(v, Tf32Rounding::nearestAway); });
    expectSame(x, to(RoundFormat::tf32TowardZero),
               [](float v) { return roundToTf32(v, Tf32Rounding::towardZero); });
    expectSame(x, to(RoundFormat::bf16), numerics::roundToBf16);
    expectSame(x, to(RoundFormat::f16), numerics::roundToF16);
    expectSame(x, to(RoundFormat::f8e4m3), numerics::roundToF8e4m3);
    expectSame(x, to(RoundFormat::f8e5m2), numerics::roundToF8e5m2);
}

TEST_F(ElementwiseTest, FillsEqualTheCounterFunctions) {
    forEachTarget([&] {
        std::vector<float> x(9001);
        host::fillNormal(7, 3, 5, x.data(), x.size());
        for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], numerics::normalAt(7, 3, 5 + i));
        host::fillUniform(7, 3, 5, x.data(), x.size());
        for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], numerics::uniformAt(7, 3, 5 + i));
    });
}

TEST_F(RowsTest, SumsAndNormsEqualTheirScalarForm) {
    Values values(3);
    for (const std::size_t width : {1u, 7u, 255u, 512u, 700u}) {
        const std::size_t rows = 5;
        const auto x = values.normal(rows * width), gain = values.normal(width);
        for (const SumOrder& o :
             {SumOrder{}, SumOrder{Order::pairwise, 1}, host::kNormOrder, SumOrder{Order::splitK, 4}}) {
            forEachTarget([&] {
                std::vector<float> sums(rows), y(rows * width), want(width);
                host::sumRows(x.data(), rows, width, o, sums.data());
                host::rmsNorm(x.data(), gain.data(), 1e-5f, rows, width, o, y.data());
                for (std::size_t r = 0; r < rows; ++r) {
                    const float* row = x.data() + r * width;
                    EXPECT_EQ(sums[r], numerics::reduce(numerics::SumTerms{row}, width, o));
                    numerics::rmsNormRow(row, gain.data(), 1e-5f, width, o, want.data());
                    EXPECT_EQ(want,
                              std::vector<float>(y.begin() + static_cast<std::ptrdiff_t>(r * width),
                                                 y.begin() + static_cast<std::ptrdiff_t>((r + 1) * width)));
                }
            });
        }
    }
}

TEST_F(RowsTest, NormHasUnitMeanSquare) {
    Values values(4);
    const std::size_t width = 512;
    const auto x = values.normal(width, 20.0f);
    const std::vector<float> gain(width, 1.0f);
    std::vector<float> y(width);
    host::rmsNorm(x.data(), gain.data(), 0.0f, 1, width, host::kNormOrder, y.data());
    double square = 0;
    for (const float v : y) square += static_cast<double>(v) * v;
    EXPECT_NEAR(square / static_cast<double>(width), 1.0, 1e-6);
}

TEST(Quantize, ScaleRoundingAndClamp) {
    using namespace numerics;
    EXPECT_EQ(int8Scale(0.0f), 1.0f);
    EXPECT_EQ(int8Scale(127.0f), 1.0f);
    EXPECT_EQ(quantizeInt8(2.5f, 1.0f), 2);
    EXPECT_EQ(quantizeInt8(3.5f, 1.0f), 4);
    EXPECT_EQ(quantizeInt8(-2.5f, 1.0f), -2);
    EXPECT_EQ(quantizeInt8(126.5f, 1.0f), 126);
    EXPECT_EQ(quantizeInt8(1e9f, 1.0f), 127);
    EXPECT_EQ(quantizeInt8(-1e9f, 1.0f), -127);
    EXPECT_EQ(quantizeInt8(-INFINITY, 1.0f), -127);
    EXPECT_EQ(quantizeInt8(NAN, 1.0f), 0);
    EXPECT_EQ(dequantizeInt8(16777217, 0.5f, 0.25f), 16777216.0f * 0.125f);
    const float x[] = {1.0f, -9.0f, NAN, 3.0f};
    EXPECT_EQ(maxAbs(x, 4, 1), 9.0f);
    EXPECT_EQ(maxAbs(x, 2, 3), 3.0f);
}

TEST(Quantize, RowsColumnsAndTheWayBack) {
    Values values(5);
    const std::size_t rows = 37, width = 130;
    const auto x = values.normal(rows * width);
    std::vector<std::int8_t> q(rows * width), p(rows * width);
    std::vector<float> rowScales(rows), columnScales(width);
    host::quantizeRows(x.data(), rows, width, q.data(), rowScales.data());
    host::quantizeColumns(x.data(), rows, width, p.data(), columnScales.data());
    for (std::size_t r = 0; r < rows; ++r) {
        EXPECT_EQ(rowScales[r], numerics::int8Scale(numerics::maxAbs(&x[r * width], width, 1)));
        for (std::size_t j = 0; j < width; ++j) {
            const std::size_t i = r * width + j;
            EXPECT_EQ(q[i], numerics::quantizeInt8(x[i], rowScales[r]));
            EXPECT_EQ(p[i], numerics::quantizeInt8(
                                x[i], numerics::int8Scale(numerics::maxAbs(&x[j], rows, width))));
            EXPECT_LE(std::fabs(static_cast<float>(q[i]) * rowScales[r] - x[i]), rowScales[r] * 0.50001f);
        }
    }
    std::vector<std::int8_t> all(rows * width);
    const float scale = host::quantizeTensor(x.data(), x.size(), all.data());
    EXPECT_EQ(scale, numerics::maxAbs(x.data(), x.size(), 1) / 127.0f);
    EXPECT_EQ(all[5], numerics::quantizeInt8(x[5], scale));
    std::vector<std::int32_t> acc(rows * width, 1000);
    std::vector<float> out(rows * width);
    host::dequantize(acc.data(), rows, width, rowScales.data(), 1, columnScales.data(), 1, out.data());
    EXPECT_EQ(out[width + 2], 1000.0f * (rowScales[1] * columnScales[2]));
}
