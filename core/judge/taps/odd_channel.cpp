#include "judge/taps/odd_channel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace divdet {
namespace {

double median(std::vector<double> v) {
    const auto mid = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
    std::nth_element(v.begin(), mid, v.end());
    return *mid;
}

std::optional<ChannelFacts> oddOfAxis(const ChannelSums::Axis& a, int axis) {
    std::vector<double> size, relative;
    for (std::size_t i = 0; i < a.error.size(); ++i) {
        size.push_back(a.error[i]);
        // A channel without signal has no relative error to compare; its size still has to stand out.
        relative.push_back(a.signal[i] > 0 ? a.error[i] / a.signal[i] : 0);
    }
    const double usualSize = median(size), usualRelative = median(relative);
    if (!(usualSize > 0) || !(usualRelative > 0)) return {};
    ChannelFacts out{axis, 0, static_cast<std::int64_t>(a.error.size())};
    for (std::size_t i = 0; i < size.size(); ++i) {
        const double excess = std::sqrt(std::min(size[i] / usualSize, relative[i] / usualRelative));
        if (!(excess > out.excess)) continue;
        out.channel = static_cast<std::int64_t>(i);
        out.excess = excess;
        out.relative = std::sqrt(relative[i]);
    }
    return out;
}

struct Moments {
    double n = 0, r = 0, e = 0, rr = 0, re = 0, ee = 0;
    void add(double x, double y) { ++n, r += x, e += y, rr += x * x, re += x * y, ee += y * y; }
};

void fitGain(ChannelFacts& out, const Moments& m) {
    const double rr = m.rr - m.r * m.r / m.n, re = m.re - m.r * m.e / m.n, ee = m.ee - m.e * m.e / m.n;
    if (!(rr > 0) || !(ee > 0)) return;
    const double slope = re / rr, left = std::max(0.0, ee - slope * re);
    const double error = std::sqrt(left / std::max(m.n - 2, 1.0) / rr);
    out.gain = 1 + slope;
    out.gainZ = error > 0 ? slope / error : std::copysign(std::numeric_limits<double>::infinity(), slope);
    out.explained = 1 - left / ee;
}

} // namespace

std::optional<ChannelFacts> findOddChannel(const ChannelSums& sums) {
    std::optional<ChannelFacts> out;
    for (std::size_t a = 0; a < sums.axes().size(); ++a) {
        if (sums.axes()[a].error.empty()) continue;
        auto odd = oddOfAxis(sums.axes()[a], static_cast<int>(a));
        if (odd && (!out || odd->excess > out->excess)) out = odd;
    }
    return out;
}

void explainChannel(ChannelFacts& channel, const TapElements& elements, const Progress& progress) {
    std::array<double, TapElements::kBlock> r, c;
    const std::int64_t total = elements.data().reference.elements() / channel.extent;
    const auto each = [&](const std::function<void(double, double)>& visit) {
        for (std::int64_t first = 0; first < total && !progress.cancelled(); first += TapElements::kBlock) {
            const auto n = static_cast<std::size_t>(std::min(TapElements::kBlock, total - first));
            elements.loadChannel(channel.axis, channel.channel, first, {r.data(), n}, {c.data(), n});
            for (std::size_t i = 0; i < n; ++i) visit(r[i], c[i]);
        }
    };
    Moments m;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    each([&](double x, double y) {
        m.add(x, y - x);
        low = std::min(low, y);
        high = std::max(high, y);
    });
    fitGain(channel, m);
    std::array<std::int64_t, 2> at{};
    std::array<double, 2> beyond{}; // Σ(c−r)² of the elements at a limit that the reference passes
    each([&](double x, double y) {
        if (y == high && x > y) ++at[0], beyond[0] += (y - x) * (y - x);
        if (y == low && x < y) ++at[1], beyond[1] += (y - x) * (y - x);
    });
    // Two elements may share a value by chance; at a limit they carry the channel's error as well.
    constexpr std::int64_t kFewest = 3;
    constexpr double kCarried = 0.5;
    const std::size_t side = at[1] > at[0];
    if (at[side] >= kFewest && beyond[0] + beyond[1] > kCarried * m.ee) {
        channel.limit = side ? low : high;
        channel.atLimit = at[0] + at[1];
    }
}

} // namespace divdet
