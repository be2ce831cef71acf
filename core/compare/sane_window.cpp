#include "compare/sane_window.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "compare/pass_region.h"

namespace divdet {
namespace {

constexpr double kLow = 1e-9, kHigh = 1; // rtol: the range of the sliders
constexpr double kHuge = 1e200;
constexpr double kRounding = 0.2; // of the line's length on the log axis: how far digits may move the middle
constexpr int kMostDigits = 17;

using Comparisons = std::span<const Comparison* const>;

Tolerance at(const Tolerance& t, TolerancePair p) {
    return {t.rule, p.rtol, p.atol, t.equalNan, {}};
}

double rounded(double x, int digits) {
    return std::strtod(fmt::format("{:.{}e}", x, digits - 1).c_str(), nullptr);
}

/// A line with the faults that it tells apart.
struct Line : SaneLine {
    std::vector<std::size_t> apart;

    double gap() const { return high / low; }
    bool isOpen() const { return !apart.empty() && gap() > kLeastGap; }
};

struct Search {
    Tolerance t;
    Comparisons honest, faults;
    PassRegion honestRegion;
    std::vector<PassRegion> faultRegions, zeros;

    /// rtol at which the curve of a fault, of honest runs or of zeros bends, and where the first crosses the
    /// last. Between these the lower one of fault and zeros, less honest runs, is straight (allclose) or
    /// constant (either): a gap anywhere shows at one of them.
    std::vector<double> bends(const PassRegion& fault) const {
        std::vector<double> out{kLow, kHigh};
        const auto add = [&](const PassRegion& region) {
            for (const auto& corner : region.frontier.corners(t.rule))
                if (corner.first > kLow && corner.first < kHigh) out.push_back(corner.first);
        };
        add(fault);
        add(honestRegion);
        for (const PassRegion& z : zeros) add(z);
        std::sort(out.begin(), out.end());
        const std::size_t all = t.rule == Rule::allclose && !fault.never ? out.size() : 0;
        for (const PassRegion& z : zeros)
            for (std::size_t i = 1; i < all; ++i) {
                const auto above = [&](double r) {
                    return fault.neededAtol(t.rule, r) - z.neededAtol(t.rule, r);
                };
                const double left = above(out[i - 1]), right = above(out[i]);
                if ((left < 0) != (right < 0))
                    out.push_back(out[i - 1] + (out[i] - out[i - 1]) * (left / (left - right)));
            }
        return out;
    }

    void findWitness(const PassRegion& fault, FaultWindow& out) const {
        double best = 0;
        for (const double rtol : bends(fault)) {
            const double low = honestRegion.neededAtol(t.rule, rtol), needs = fault.neededAtol(t.rule, rtol);
            double high = needs; // and zeros fail as well
            for (const PassRegion& z : zeros) high = std::min(high, z.neededAtol(t.rule, rtol));
            if (!std::isfinite(high) || !(high > low * kLeastGap)) continue;
            // Where honest runs need no atol every gap is infinite: the widest is told.
            const double gap = low > 0 ? high / low : high * kHuge;
            if (!(gap > best)) continue;
            best = gap;
            out.honestAtol = low;
            out.faultAtol = needs;
            out.witness = TolerancePair{rtol, std::sqrt((low > 0 ? low : high * 1e-3) * high)};
        }
    }

    Line along(double scale) const {
        Line line;
        line.scale = scale;
        line.high = kHigh;
        line.low = std::max(kLow, honestRegion.neededOnLine(t, scale));
        for (const PassRegion& z : zeros) line.high = std::min(line.high, z.neededOnLine(t, scale));
        for (std::size_t i = 0; i < faultRegions.size(); ++i) {
            const double needs = faultRegions[i].neededOnLine(t, scale);
            if (!(needs > line.low * kLeastGap)) continue;
            line.apart.push_back(i);
            if (needs < line.high) line.high = needs, line.bound = i;
        }
        return line;
    }

    bool inside(const Line& line, TolerancePair p) const {
        const Tolerance tolerance = at(t, p);
        const auto verdict = [&](const Comparison* c) { return judge(*c, tolerance).verdict; };
        return std::all_of(honest.begin(), honest.end(),
                           [&](const Comparison* c) { return verdict(c) == Verdict::within; }) &&
               std::all_of(line.apart.begin(), line.apart.end(), [&](std::size_t i) {
                   return faultRegions[i].never || verdict(faults[i]) == Verdict::outside;
               });
    }

    /// With its middle and what that catches; none: the line is closed.
    std::optional<SaneLine> finished(const Line& line) const {
        if (!line.isOpen()) return std::nullopt;
        const auto pair = middle(line);
        if (!pair) return std::nullopt;
        SaneLine out = line;
        out.middle = *pair;
        out.caught = static_cast<std::size_t>(
            std::count_if(faultRegions.begin(), faultRegions.end(),
                          [&](const PassRegion& r) { return !r.passes(at(t, *pair)); }));
        return out;
    }

    /// The middle with the fewest digits that stay near it and inside; none: not even the middle itself is.
    std::optional<TolerancePair> middle(const Line& line) const {
        const TolerancePair exact = line.pairAt(std::sqrt(line.low * line.high));
        const double room = kRounding * std::log(line.gap());
        const auto near = [&](double x, double target) { return std::abs(std::log(x / target)) <= room; };
        for (int digits = 2; digits <= kMostDigits; ++digits) {
            const double rtol = rounded(exact.rtol, digits);
            const TolerancePair onLine = line.pairAt(rtol), pair{rtol, rounded(onLine.atol, digits)};
            if (near(pair.rtol, exact.rtol) && near(pair.atol, exact.atol) && inside(line, pair) &&
                inside(line, onLine))
                return pair;
        }
        return std::nullopt;
    }
};

bool better(const Line& a, const Line& b) {
    if (a.isOpen() != b.isOpen()) return a.isOpen();
    if (a.apart.size() != b.apart.size()) return a.apart.size() > b.apart.size();
    if ((a.scale == 1) != (b.scale == 1)) return a.scale == 1;
    return a.gap() > b.gap();
}

/// Why not even the linked path is open.
SaneWindow::State whyClosed(const Search& search, const Line& path) {
    for (const PassRegion& z : search.zeros)
        if (!(z.neededOnLine(search.t, 1) > path.low * kLeastGap)) return SaneWindow::State::nothingTested;
    return SaneWindow::State::closed;
}

} // namespace

const char* toString(Separation s) {
    switch (s) {
    case Separation::caught:
        return "caught";
    case Separation::elsewhere:
        return "elsewhere";
    case Separation::never:
        return "never";
    }
    return "never";
}

SaneWindow saneWindow(Comparisons honest, Comparisons faults, const Tolerance& asked) {
    const Tolerance t{frontierRule(asked.rule), 0, 0, asked.equalNan, {}};
    Search search{t, honest, faults, passRegion(honest, t), {}, zerosRegions(honest)};
    SaneWindow out;
    for (const Comparison* f : faults) {
        search.faultRegions.push_back(passRegion({&f, 1}, t));
        FaultWindow window;
        window.needs = search.faultRegions.back().neededOnLine(t, 1);
        search.findWitness(search.faultRegions.back(), window);
        out.faults.push_back(window);
    }
    out.honestNeeds = honest.empty() ? 0 : search.honestRegion.neededOnLine(t, 1);
    double most = -1;
    for (std::size_t i = 0; i < honest.size(); ++i)
        if (const double needs = passRegion({&honest[i], 1}, t).neededOnLine(t, 1); needs > most)
            most = needs, out.honestMost = i;
    if (honest.empty()) return out.state = SaneWindow::State::noHonestRun, out;
    if (search.honestRegion.never) return out.state = SaneWindow::State::honestFails, out;
    if (faults.empty()) return out.state = SaneWindow::State::noFault, out;

    const Line path = search.along(1);
    Line best = path;
    for (std::size_t i = 0; i < out.faults.size(); ++i) {
        const auto& w = out.faults[i].witness;
        const bool onPath = std::count(path.apart.begin(), path.apart.end(), i) > 0;
        if (onPath || !w) continue;
        const Line line = search.along(w->atol / linkedAtol(w->rtol));
        if (path.isOpen() && line.gap() < kNarrow) continue;
        if (better(line, best)) best = line;
    }
    out.best = search.finished(best);
    if (best.scale != 1) out.path = search.finished(path);
    if (!out.best) out.best = std::exchange(out.path, std::nullopt);
    out.state = out.best ? SaneWindow::State::open : whyClosed(search, path);
    for (std::size_t i = 0; i < out.faults.size(); ++i) {
        const bool fails = out.best && !search.faultRegions[i].passes(at(t, out.best->middle));
        out.faults[i].separation = fails                   ? Separation::caught
                                   : out.faults[i].witness ? Separation::elsewhere
                                                           : Separation::never;
    }
    return out;
}

} // namespace divdet
