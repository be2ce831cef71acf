#pragma once
#include <cmath>
#include <cstdint>
#include <limits>

namespace divdet {

/// A mean over tokens with its standard error: the sample's standard deviation over √n, as if the tokens were
/// drawn one by one. NaN where there are fewer than two, or where the mean is not finite.
struct Estimate {
    double value = std::numeric_limits<double>::quiet_NaN();
    double error = std::numeric_limits<double>::quiet_NaN();
};

/// Mean and scatter of a stream of numbers (Welford; parts are merged as by Chan, Golub and LeVeque). What is
/// not finite stays out of the scatter and decides the mean: an infinity makes it infinite, a NaN makes it
/// NaN.
struct Moments {
    std::int64_t count = 0; ///< of finite numbers
    double mean = 0, squares = 0;
    double beyond = 0; ///< sum of the numbers that are not finite; 0: there are none

    void add(double x) {
        if (!std::isfinite(x)) {
            beyond += x;
            return;
        }
        ++count;
        const double d = x - mean;
        mean += d / static_cast<double>(count);
        squares += d * (x - mean);
    }
    void merge(const Moments& o) {
        beyond += o.beyond;
        if (o.count == 0) return;
        const auto a = static_cast<double>(count), b = static_cast<double>(o.count);
        const double d = o.mean - mean;
        mean += d * (b / (a + b));
        squares += o.squares + d * d * (a * b / (a + b));
        count += o.count;
    }
    /// Variance of the mean; NaN for fewer than two.
    double meanVariance() const {
        const auto n = static_cast<double>(count);
        return count > 1 ? squares / (n - 1) / n : std::numeric_limits<double>::quiet_NaN();
    }
    Estimate estimate() const {
        Estimate out;
        if (beyond != 0) // true for NaN too
            out.value = beyond;
        else if (count > 0)
            out = {mean, std::sqrt(meanVariance())};
        return out;
    }
};

/// Share of `hits` among n yes-or-no tokens.
inline Estimate shareOf(std::int64_t hits, std::int64_t n) {
    if (n < 1) return {};
    const auto all = static_cast<double>(n);
    const double p = static_cast<double>(hits) / all;
    return {p, n > 1 ? std::sqrt(p * (1 - p) / (all - 1)) : Estimate{}.error};
}

/// Change of a share when `won` of n tokens turned to yes and `lost` to no. The tokens are the same before
/// and after, so only those that turned scatter.
inline Estimate shareChange(std::int64_t won, std::int64_t lost, std::int64_t n) {
    if (n < 1) return {};
    const auto all = static_cast<double>(n);
    const double mean = static_cast<double>(won - lost) / all, turned = static_cast<double>(won + lost) / all;
    return {mean, n > 1 ? std::sqrt((turned - mean * mean) / (all - 1)) : Estimate{}.error};
}

} // namespace divdet
