#include "plots/histogram_bars.h"

#include <algorithm>
#include <cmath>

#include "gui/number_format.h"

namespace divdet {
namespace {

void addBar(HistogramScene& scene, HistogramBar bar) {
    scene.elements += bar.count;
    scene.largestCount = std::max(scene.largestCount, bar.count);
    scene.bars.push_back(bar);
}

QString count(std::int64_t n) {
    return num::count(static_cast<std::uint64_t>(n));
}

} // namespace

HistogramScene zScene(const SignedHistogram& z, double rms, double largest) {
    HistogramScene scene;
    scene.quantity = HistogramScene::Quantity::z;
    scene.rms = rms;
    scene.largest = largest;
    if (z.empty()) return scene;
    int first = SignedHistogram::bin(-4), last = SignedHistogram::bin(4);
    for (int b = 0; b < SignedHistogram::kBins; ++b)
        if (z.count(b) > 0) first = std::min(first, b), last = std::max(last, b);
    const auto all = static_cast<double>(z.total());
    for (int b = first; b <= last; ++b) {
        const auto [low, high] = SignedHistogram::range(b);
        const double middle = static_cast<double>(b - SignedHistogram::kSide);
        HistogramBar bar;
        bar.from = (middle - 0.5) / SignedHistogram::kPerDoubling;
        bar.to = (middle + 0.5) / SignedHistogram::kPerDoubling;
        bar.low = low, bar.high = high;
        bar.count = z.count(b);
        bar.expected = all * normalShare(low, high);
        if (b > SignedHistogram::kSide) scene.above += bar.count;
        if (b < SignedHistogram::kSide) scene.below += bar.count;
        addBar(scene, bar);
    }
    return scene;
}

HistogramScene ulpScene(const UlpSpread& ulps) {
    HistogramScene scene;
    scene.quantity = HistogramScene::Quantity::ulps;
    scene.dtype = ulps.dtype;
    scene.largest = ulps.largest;
    scene.notFinite = ulps.notFinite;
    if (ulps.finite() == 0) return scene;
    int below = 1, above = 1; // one empty bar at each side shows where the end is
    for (int i = 1; i < UlpSpread::kSide; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (ulps.below[at] > 0) below = i;
        if (ulps.above[at] > 0) above = i;
        scene.below += ulps.below[at];
        scene.above += ulps.above[at];
    }
    // Whole numbers: a bar reaches half an ulp to both sides, so that bars touch.
    const auto bar = [](int i, bool up, std::int64_t n) {
        const auto [first, last] = UlpSpread::range(i);
        HistogramBar out;
        out.low = up ? first : -last, out.high = up ? last : -first;
        out.from = symlog(up ? first - 0.5 : -last - 0.5);
        out.to = symlog(up ? last + 0.5 : -first + 0.5);
        out.count = n;
        return out;
    };
    for (int i = below; i >= 1; --i) addBar(scene, bar(i, false, ulps.below[static_cast<std::size_t>(i)]));
    addBar(scene, {symlog(-0.5), symlog(0.5), 0, 0, ulps.equal, std::nullopt});
    for (int i = 1; i <= above; ++i) addBar(scene, bar(i, true, ulps.above[static_cast<std::size_t>(i)]));
    return scene;
}

double expectedLargest(std::int64_t n) {
    double low = 0, high = 40;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        const double beyond = 2 * static_cast<double>(n) * normalShare(middle, INFINITY);
        (beyond > 1 ? low : high) = middle;
    }
    return low;
}

QString histogramStatement(const HistogramScene& scene) {
    if (scene.bars.empty()) return {};
    const QString n = QStringLiteral("n ") + count(scene.elements);
    if (scene.quantity == HistogramScene::Quantity::z)
        return QStringLiteral("%1 · rms z %2 · largest |z| %3")
            .arg(n, num::z(scene.rms.value_or(0)), num::z(scene.largest));
    const auto share = [&](std::int64_t part) {
        return num::share(static_cast<double>(part) / static_cast<double>(scene.elements));
    };
    // What matters most comes first: a narrow plot cuts the end.
    QString out = QStringLiteral("%1 · largest %2 ulps").arg(n, num::ulps(scene.largest));
    if (scene.notFinite > 0) out += QStringLiteral(" · not finite %1").arg(count(scene.notFinite));
    out +=
        QStringLiteral(" · above %1, below %2, equal %3")
            .arg(share(scene.above), share(scene.below), share(scene.elements - scene.above - scene.below));
    return out;
}

QString barText(const HistogramScene& scene, const HistogramBar& bar) {
    if (scene.quantity == HistogramScene::Quantity::z) {
        if (std::isinf(bar.low)) return QStringLiteral("z below %1").arg(num::error(bar.high));
        if (std::isinf(bar.high)) return QStringLiteral("z from %1 on").arg(num::error(bar.low));
        return QStringLiteral("z %1 to %2").arg(num::z(bar.low), num::z(bar.high));
    }
    if (bar.low == 0 && bar.high == 0) return QStringLiteral("equal, 0 ulps");
    const bool up = bar.low > 0;
    const double first = up ? bar.low : -bar.high, last = up ? bar.high : -bar.low;
    const QString way = up ? QStringLiteral("above") : QStringLiteral("below");
    if (first == last) return QStringLiteral("%1 ulp %2").arg(num::ulps(first), way);
    return QStringLiteral("%1 to %2 ulps %3").arg(num::ulps(first), num::ulps(last), way);
}

SymlogTicks symlogTicks(double low, double high, double lengthPx, double minimumPx) {
    const double perUnit = lengthPx / std::max(1e-9, high - low);
    std::vector<double> values{0};
    // The order is the rank: what comes first gets its place.
    for (const double factor : {1.0, 3.0, 2.0, 5.0})
        for (double decade = 1; decade < 1e18; decade *= 10)
            for (const double sign : {1.0, -1.0}) values.push_back(sign * factor * decade);
    std::vector<double> taken;
    for (const double value : values) {
        const double place = symlog(value);
        if (place < low || place > high) continue;
        const bool room = std::all_of(taken.begin(), taken.end(), [&](double other) {
            return std::abs(symlog(other) - place) * perUnit >= minimumPx;
        });
        if (room) taken.push_back(value);
    }
    std::sort(taken.begin(), taken.end());
    SymlogTicks out;
    for (const double value : taken) {
        out.places.push_back(symlog(value));
        const double magnitude = std::abs(value);
        QString text = magnitude < 10000 ? QString::number(magnitude) : num::shortError(magnitude);
        if (magnitude >= 10000) text.replace(QStringLiteral(".0e"), QStringLiteral("e"));
        out.labels.push_back(value < 0 ? QLatin1Char('-') + text : text);
    }
    return out;
}

} // namespace divdet
