#include "compare/histogram.h"

#include <bit>
#include <cmath>
#include <limits>

namespace divdet {
namespace {

/// Bin among `count` regular ones of an axis that starts at 2^low: 0 zero, 1 below, last above.
int axisBin(double x, int low, int high) {
    if (x == 0) return 0;
    const int bins = ErrorHistogram::kBinsPerOctave * (high - low);
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int exponent = static_cast<int>(bits >> 52) - 1023; // subnormals land far below every range
    if (exponent < low) return 1;
    if (exponent >= high) return bins + 2;
    const int half = (bits >> 32 & 0xFFFFF) >= ErrorHistogram::kHalfOctave;
    return 2 + ErrorHistogram::kBinsPerOctave * (exponent - low) + half;
}

std::pair<double, double> axisRange(int bin, int low, int high) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    const int bins = ErrorHistogram::kBinsPerOctave * (high - low);
    if (bin == 0) return {0, 0};
    const auto edge = [&](int i) {
        const double half = std::bit_cast<double>((0x3FF00000ULL + ErrorHistogram::kHalfOctave) << 32);
        return std::ldexp(i % 2 ? half : 1.0, low + i / 2);
    };
    if (bin == 1) return {std::numeric_limits<double>::denorm_min(), edge(0)};
    if (bin == bins + 2) return {edge(bins), kInf};
    return {edge(bin - 2), edge(bin - 1)};
}

} // namespace

int ErrorHistogram::column(double magnitude) {
    return axisBin(magnitude, kMagnitudeLow, kMagnitudeHigh);
}
int ErrorHistogram::row(double error) {
    return axisBin(error, kErrorLow, kErrorHigh);
}
std::pair<double, double> ErrorHistogram::columnRange(int c) {
    return axisRange(c, kMagnitudeLow, kMagnitudeHigh);
}
std::pair<double, double> ErrorHistogram::rowRange(int r) {
    return axisRange(r, kErrorLow, kErrorHigh);
}

void ErrorHistogram::merge(const ErrorHistogram& other) {
    if (other.m_counts.empty()) return;
    if (m_counts.empty()) m_counts.resize(other.m_counts.size());
    for (std::size_t i = 0; i < m_counts.size(); ++i) m_counts[i] += other.m_counts[i];
}

void ErrorHistogram::merge(const std::uint32_t* cells, int stride) {
    if (m_counts.empty()) m_counts.resize(static_cast<std::size_t>(kColumns) * kRows);
    for (int r = 0; r < kRows; ++r)
        for (int c = 0; c < kColumns; ++c) m_counts[cell(c, r)] += cells[r * stride + c];
}

CountBounds ErrorHistogram::mismatches(const Tolerance& t) const {
    CountBounds out;
    if (m_counts.empty()) return out;
    for (int r = 1; r < kRows; ++r) { // row 0: no error, always passes
        const auto [errorLow, errorHigh] = rowRange(r);
        for (int c = 0; c < kColumns; ++c) {
            const std::int64_t n = m_counts[cell(c, r)];
            if (n == 0) continue;
            const auto [magnitudeLow, magnitudeHigh] = columnRange(c);
            // e < errorHigh, so it passes for certain when the largest e below it passes at the smallest m.
            const bool allPass =
                std::isfinite(errorHigh) && passesFinite(t, std::nextafter(errorHigh, 0.0), magnitudeLow);
            const bool allFail = std::isinf(magnitudeHigh) ? t.rtol == 0 && !passesFinite(t, errorLow, 0.0)
                                                           : !passesFinite(t, errorLow, magnitudeHigh);
            if (!allPass) out.high += n;
            if (allFail) out.low += n;
        }
    }
    return out;
}

} // namespace divdet
