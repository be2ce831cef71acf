#include "compare/signed_histogram.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace divdet {
namespace {

constexpr double kLog2 = 0.693147180559945309417;

}

double symlog(double x) {
    return std::asinh(x / 2) / kLog2;
}

double symexp(double place) {
    return 2 * std::sinh(place * kLog2);
}

int SignedHistogram::bin(double x) {
    const double steps = kPerDoubling * symlog(std::abs(x));
    const int far = steps < kSide ? static_cast<int>(std::lround(steps)) : kSide;
    return std::signbit(x) ? kSide - far : kSide + far;
}

std::pair<double, double> SignedHistogram::range(int bin) {
    constexpr double kInf = std::numeric_limits<double>::infinity();
    const auto edge = [](double steps) { return symexp(steps / kPerDoubling); };
    const int at = bin - kSide;
    return {at == -kSide ? -kInf : edge(at - 0.5), at == kSide ? kInf : edge(at + 0.5)};
}

void SignedHistogram::add(double x, std::int64_t times) {
    if (m_counts.empty()) m_counts.resize(kBins);
    m_counts[static_cast<std::size_t>(bin(x))] += times;
}

void SignedHistogram::merge(const SignedHistogram& other) {
    if (other.empty()) return;
    if (m_counts.empty()) m_counts.resize(kBins);
    std::transform(m_counts.begin(), m_counts.end(), other.m_counts.begin(), m_counts.begin(), std::plus<>());
}

std::int64_t SignedHistogram::total() const {
    return std::accumulate(m_counts.begin(), m_counts.end(), std::int64_t{0});
}

double normalShare(double low, double high) {
    // On the far side from zero, where the difference of two numbers near 1 would have no digits.
    if (low > 0) return normalShare(-high, -low);
    const auto below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    return below(high) - below(low);
}

} // namespace divdet
