#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace divdet {

/// Place of a signed quantity on an axis that is even near zero and logarithmic far out: asinh(x / 2) in
/// doublings. On it a standard normal quantity still has one hump, which it has not on log2(1 + |x|).
double symlog(double x);
/// Its inverse.
double symexp(double place);

/// Counts of a signed quantity without a unit in bins that are even in symlog(x): about 0.14 wide at zero, a
/// fourteenth of their distance from it far out, and the same for every tensor, so that counts can be added
/// and no first pass is needed. The middle bin lies around zero; the outermost ones hold all beyond 2^20,
/// infinities too. NaN is the caller's to place.
class SignedHistogram {
public:
    static constexpr int kPerDoubling = 10; ///< bins to a unit of symlog
    static constexpr int kSide = 20 * kPerDoubling;
    static constexpr int kBins = 2 * kSide + 1;

    void add(double x, std::int64_t times = 1);
    void merge(const SignedHistogram& other);

    /// 0 … kBins − 1, from below.
    static int bin(double x);
    /// [low, high) in linear units; the outermost end at an infinity.
    static std::pair<double, double> range(int bin);

    std::int64_t count(int bin) const {
        return m_counts.empty() ? 0 : m_counts[static_cast<std::size_t>(bin)];
    }
    std::int64_t total() const;
    bool empty() const { return m_counts.empty(); }

private:
    std::vector<std::int64_t> m_counts; ///< of kBins; empty: nothing was added
};

/// The part of a standard normal quantity in [low, high).
double normalShare(double low, double high);

} // namespace divdet
