#include "judge/gradient_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr std::int64_t kShortest = 4;
/// Σ(second differences)² over Σ(first differences)² is 3 for white noise and small where data is smooth.
constexpr double kSmooth = 0.5;

struct Normal {
    double xx = 0, xy = 0, yy = 0, xd = 0, yd = 0, dd = 0, bend = 0, slope = 0;
};

} // namespace

std::optional<GradientFit> gradientFit(const PairEvidence& pair) {
    const Shape& shape = pair.reference.shape;
    const std::int64_t width = shape.back(), height = shape.size() > 1 ? shape[shape.size() - 2] : 1;
    if (width < kShortest) return {};
    const bool rows = height >= kShortest;
    const std::int64_t plane = width * height;
    const std::int64_t most = std::max<std::int64_t>(1, kSampled / plane);
    const std::int64_t planes = std::min(most, pair.reference.elements() / plane);
    const std::int64_t lines = std::min(height, std::max<std::int64_t>(kSampled / width, kShortest));
    Normal n;
    std::vector<double> r(static_cast<std::size_t>(lines * width)), c(r.size());
    for (std::int64_t p = 0; p < planes; ++p) {
        loadAsDouble(pair.reference, p * plane, r);
        loadAsDouble(pair.candidate, p * plane, c);
        for (std::int64_t i = rows ? 1 : 0; i < (rows ? lines - 1 : lines); ++i)
            for (std::int64_t j = 1; j + 1 < width; ++j) {
                const auto at = static_cast<std::size_t>(i * width + j);
                const auto w = static_cast<std::size_t>(width);
                const double x = (r[at + 1] - r[at - 1]) / 2, y = rows ? (r[at + w] - r[at - w]) / 2 : 0;
                const double d = c[at] - r[at], bend = r[at + 1] - 2 * r[at] + r[at - 1];
                n.xx += x * x;
                n.xy += x * y;
                n.yy += y * y;
                n.xd += x * d;
                n.yd += y * d;
                n.dd += d * d;
                n.bend += bend * bend;
                n.slope += (r[at + 1] - r[at]) * (r[at + 1] - r[at]);
            }
    }
    if (!(n.dd > 0) || !(n.xx > 0) || n.bend > kSmooth * n.slope) return {};
    const double det = n.xx * n.yy - n.xy * n.xy;
    double sx = n.xd / n.xx, sy = 0;
    if (det > 1e-9 * n.xx * n.yy) {
        sx = (n.xd * n.yy - n.yd * n.xy) / det;
        sy = (n.yd * n.xx - n.xd * n.xy) / det;
    }
    return GradientFit{-sy, -sx, std::clamp((sx * n.xd + sy * n.yd) / n.dd, 0.0, 1.0)};
}

} // namespace divdet
