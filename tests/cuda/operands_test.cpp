#include <algorithm>

#include "cuda/kernel_fixture.h"
#include "host/elementwise.h"
#include "host/rows.h"
#include "numerics/narrow_operands.h"

/// Scales, codes and rounded operands: the bits of kernels/host or of the scalar rule.
namespace divdet {
namespace {

using Floats = std::vector<float>;
using host::GemmShape;
using numerics::OperandFormat;

Floats asFloats(const std::vector<std::int8_t>& codes) {
    return {codes.begin(), codes.end()};
}

/// f(rows, width, x) for matrices of every shape, some with special values.
template <class F>
void forEachMatrix(const F& f) {
    Values values(12);
    std::size_t at = 0;
    for (const GemmShape s : kernelShapes()) {
        SCOPED_TRACE(text(s));
        Floats x = values.normal(s.m * s.n, 2);
        if (at % 3 == 2) values.spoil(x, 3);
        if (at % 7 == 6) std::fill(x.begin(), x.end(), 0.0f);
        f(s.m, s.n, x);
        ++at;
    }
    EXPECT_GE(at, kLeastShapes);
}

TEST(CudaOperands, Int8CodesPerRowColumnAndTensor) {
    forEachMatrix([](std::size_t m, std::size_t n, const Floats& x) {
        std::vector<std::int8_t> rowCodes(m * n), columnCodes(m * n), tensorCodes(m * n);
        Floats rowScales(m), columnScales(n);
        host::quantizeRows(x.data(), m, n, rowCodes.data(), rowScales.data());
        host::quantizeColumns(x.data(), m, n, columnCodes.data(), columnScales.data());
        const float tensorScale = host::quantizeTensor(x.data(), m * n, tensorCodes.data());
        DeviceArray<float> from(x);
        forEachOrder([&] {
            const auto check = [&](std::size_t scales, auto largest, std::size_t rowStep,
                                   std::size_t columnStep, const Floats& wantedScales, const Floats& codes) {
                DeviceArray<std::uint32_t> bits(std::vector<std::uint32_t>(scales, 0u));
                DeviceArray<float> s(scales), y(m * n);
                largest(bits.data());
                cuda::int8Scales(nullptr, bits.data(), scales, -1, 1, s.data());
                cuda::int8Codes(nullptr, from.data(), m, n, s.data(), rowStep, columnStep, y.data());
                expectSame(s.values(), wantedScales);
                expectSame(y.values(), codes);
            };
            check(
                m, [&](auto* b) { cuda::largestInRows(nullptr, from.data(), m, n, b); }, 1, 0, rowScales,
                asFloats(rowCodes));
            check(
                n, [&](auto* b) { cuda::largestInColumns(nullptr, from.data(), m, n, b); }, 0, 1,
                columnScales, asFloats(columnCodes));
            check(
                1, [&](auto* b) { cuda::largestOfAll(nullptr, from.data(), m * n, b); }, 0, 0, {tensorScale},
                asFloats(tensorCodes));
        });
    });
}

TEST(CudaOperands, F8CodesUnderOneScale) {
    for (const auto format : {OperandFormat::f8e4m3, OperandFormat::f8e5m2})
        forEachMatrix([&](std::size_t m, std::size_t n, const Floats& x) {
            const float scale = numerics::f8Scale(numerics::maxAbs(x.data(), x.size(), 1), format);
            Floats wanted(x.size());
            for (std::size_t i = 0; i < x.size(); ++i) wanted[i] = numerics::quantizeF8(x[i], scale, format);
            DeviceArray<float> from(x), s(1), y(m * n);
            DeviceArray<std::uint32_t> bits(std::vector<std::uint32_t>{0});
            cuda::largestOfAll(nullptr, from.data(), m * n, bits.data());
            cuda::f8Scale(nullptr, bits.data(), format, s.data());
            cuda::f8Codes(nullptr, from.data(), m * n, s.data(), format, y.data());
            expectSame(s.values(), {scale});
            expectSame(y.values(), wanted);
        });
}

TEST(CudaOperands, Int4WeightsPerGroupAndColumn) {
    forEachMatrix([](std::size_t k, std::size_t n, const Floats& x) {
        for (const std::size_t group : {1u, 4u, 32u}) {
            Floats wanted(x.size());
            for (std::size_t i = 0; i < x.size(); ++i) {
                const std::size_t first = i / n / group * group, last = std::min(k, first + group);
                const float s = numerics::int4Scale(numerics::maxAbs(&x[first * n + i % n], last - first, n));
                wanted[i] = numerics::dequantizeInt4(numerics::quantizeInt4(x[i], s), s);
            }
            DeviceArray<float> from(x), y(x.size());
            cuda::int4Weights(nullptr, from.data(), k, n, group, y.data());
            expectSame(y.values(), wanted);
        }
    });
}

TEST(CudaOperands, RoundedAsTheTensorCoreTakesThem) {
    const std::pair<cuda::OperandRounding, host::RoundFormat> roundings[] = {
        {cuda::OperandRounding::tf32NearestEven, host::RoundFormat::tf32NearestEven},
        {cuda::OperandRounding::tf32NearestAway, host::RoundFormat::tf32NearestAway},
        {cuda::OperandRounding::tf32TowardZero, host::RoundFormat::tf32TowardZero},
        {cuda::OperandRounding::bf16, host::RoundFormat::bf16},
        {cuda::OperandRounding::f16, host::RoundFormat::f16}};
    for (const auto& [device, twin] : roundings)
        forEachMatrix([how = device, as = twin](std::size_t, std::size_t, const Floats& x) {
            Floats wanted(x.size());
            host::roundTo(as, x.data(), wanted.data(), x.size());
            DeviceArray<float> from(x), y(x.size());
            cuda::roundOperand(nullptr, from.data(), x.size(), how, y.data());
            expectSame(y.values(), wanted);
        });
}

TEST(CudaOperands, HalfWrittenPiecesOfB) {
    Values values(13);
    for (std::size_t k = 1; k <= 50; ++k) {
        const Floats b = values.normal(k * 5);
        for (std::size_t step = 0; step < (k + 15) / 16; ++step) {
            const numerics::HalfWritten what{true, step};
            Floats wanted(k * 3);
            for (std::size_t i = 0; i < wanted.size(); ++i) {
                const auto row = numerics::rowRead(what, i / 3);
                wanted[i] = row < 0 ? 0.0f : b[static_cast<std::size_t>(row) * 5 + i % 3];
            }
            DeviceArray<float> from(b), y(wanted.size());
            cuda::readHalfWritten(nullptr, from.data(), 5, k, 3, what, y.data());
            expectSame(y.values(), wanted);
        }
    }
}

TEST(CudaOperands, ScalesComeBackInOneStep) {
    Values values(14);
    for (const GemmShape s : kernelShapes()) {
        const Floats c = values.normal(s.m * s.n), rows = values.normal(s.m), columns = values.normal(s.n),
                     start = values.normal(s.n);
        for (const bool started : {false, true}) {
            Floats wanted(c.size());
            for (std::size_t i = 0; i < c.size(); ++i) {
                const float scale = rows[i / s.n] * columns[i % s.n];
                wanted[i] = started ? std::fma(c[i], scale, start[i % s.n]) : c[i] * scale;
            }
            DeviceArray<float> y(c), r(rows), q(columns), from(start);
            cuda::scaleBack(nullptr, {s.m, s.n, s.k}, r.data(), 1, q.data(), 1,
                            {started ? from.data() : nullptr, true}, y.data());
            expectSame(y.values(), wanted);
        }
    }
}

} // namespace
} // namespace divdet
