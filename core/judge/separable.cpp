#include "judge/separable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "judge/noise.h"

namespace divdet {
namespace {

constexpr int kRounds = 30;       ///< of fitting one axis, then the other, to what is left
constexpr double kFollows = 0.95; ///< share of the elements
constexpr double kVaries = 0.05;  ///< spread of log ratios along an axis that is a factor
constexpr std::size_t kFewestPerSlice = 4;

struct LogRatio {
    std::size_t i, j;
    double log;
};

/// Ratios of elements large enough that rounding hardly moves them; empty when a sign differs.
std::vector<LogRatio> logRatios(const PairEvidence& pair, std::size_t a, std::size_t b,
                                std::size_t& counted) {
    const PairSample& s = pair.sample();
    const Shape& shape = pair.reference.shape;
    std::int64_t belowA = 1, belowB = 1;
    for (std::size_t k = a + 1; k < shape.size(); ++k) belowA *= shape[k];
    for (std::size_t k = b + 1; k < shape.size(); ++k) belowB *= shape[k];
    std::vector<LogRatio> out;
    counted = 0;
    for (std::size_t k = 0; k < s.index.size(); ++k) {
        const double r = s.r[k], c = s.c[k];
        if (r == 0 && c == 0) continue;
        ++counted;
        if (!(r * c > 0)) continue;
        out.push_back({static_cast<std::size_t>(s.index[k] / belowA % shape[a]),
                       static_cast<std::size_t>(s.index[k] / belowB % shape[b]), std::log(c / r)});
    }
    return out;
}

/// Mean per index of what the other axis leaves; its spread.
double fit(const std::vector<LogRatio>& ratios, std::size_t LogRatio::*axis, std::size_t LogRatio::*other,
           const std::vector<double>& given, std::vector<double>& out) {
    std::vector<double> sum(out.size(), 0.0), count(out.size(), 0.0);
    for (const auto& r : ratios) {
        sum[r.*axis] += r.log - given[r.*other];
        ++count[r.*axis];
    }
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (count[i] == 0) continue;
        out[i] = sum[i] / count[i];
        low = std::min(low, out[i]);
        high = std::max(high, out[i]);
    }
    return high > low ? high - low : 0;
}

} // namespace

std::optional<Separable> separableGain(const PairEvidence& pair) {
    const Shape& shape = pair.reference.shape;
    // Factors that vary by kVaries move values by a good part of that.
    if (!(pair.summary.rms > kVaries / 10 * pair.summary.rmsReference)) return {};
    const NoiseModel noise = noiseModel(pair);
    const double slack = 8 * std::max(noise.unit, 0x1p-24) + 1e-6;
    for (std::size_t b = shape.size(); b-- > 1;)
        for (std::size_t a = b; a-- > 0;) {
            if (shape[a] < 3 || shape[b] < 3) continue;
            std::size_t counted = 0;
            const auto ratios = logRatios(pair, a, b, counted);
            const auto slices = static_cast<std::size_t>(shape[a] + shape[b]);
            if (ratios.size() < kFewestPerSlice * slices ||
                static_cast<double>(ratios.size()) < kFollows * static_cast<double>(counted))
                continue;
            std::vector<double> f(static_cast<std::size_t>(shape[a])), g(static_cast<std::size_t>(shape[b]));
            double spreadF = 0, spreadG = 0;
            for (int round = 0; round < kRounds; ++round) {
                spreadF = fit(ratios, &LogRatio::i, &LogRatio::j, g, f);
                spreadG = fit(ratios, &LogRatio::j, &LogRatio::i, f, g);
            }
            if (spreadF < kVaries || spreadG < kVaries) continue;
            Separable out{{a, b}, std::numeric_limits<double>::infinity(), 0, 0};
            std::size_t follow = 0;
            for (const auto& r : ratios) {
                follow += std::fabs(r.log - f[r.i] - g[r.j]) < slack + 1e-4 * (spreadF + spreadG);
                out.smallest = std::min(out.smallest, std::exp(r.log));
                out.largest = std::max(out.largest, std::exp(r.log));
            }
            out.share = static_cast<double>(follow) / static_cast<double>(counted);
            if (out.share >= kFollows) return out;
        }
    return {};
}

} // namespace divdet
