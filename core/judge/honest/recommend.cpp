#include "judge/honest/recommend.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rounded_up.h"
#include "judge/envelope/rules.h"

namespace divdet::honest {
namespace {

constexpr int kDigits = 4;
constexpr int kHalvings = 34;

/// Smallest x in (low, high] for which ok holds, given that it is monotone and holds at high; geometric.
template <class F>
double smallest(double low, double high, F&& ok) {
    if (ok(low)) return low;
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = std::sqrt(low * high);
        (ok(middle) ? high : low) = middle;
    }
    return high;
}

class Search {
public:
    Search(const HonestErrors& errors, double p, double elements)
        : m_errors(errors)
        , m_p(p)
        , m_elements(elements)
        , m_size(std::max({errors.meanMagnitude(), errors.largestSpread(), 1e-300})) {}

    bool passes(double rtol, double atol) const { return m_errors.falseAlarm(rtol, atol, m_elements) <= m_p; }

    double atolAt(double rtol) const {
        if (passes(rtol, 0)) return 0;
        return smallest(m_size * 1e-12, m_size * 1e6, [&](double atol) { return passes(rtol, atol); });
    }
    double allowance(double rtol) const { return atolAt(rtol) + rtol * m_errors.meanMagnitude(); }

    double linked() const {
        return smallest(1e-16, 1e9, [&](double rtol) { return passes(rtol, linkedAtol(rtol)); });
    }

    /// Half a step of the output at the foot of a binade, relative: there discrete errors are largest.
    double sharpest(double halfStep) const {
        std::vector<double> tried{0};
        for (const double share : {0.5, 0.8, 0.9, 0.96, 0.98, 0.99, 0.995, 0.998, 1.0})
            tried.push_back(share * halfStep);
        for (int i = 1; i <= 7; ++i) tried.push_back(halfStep * std::pow(4.0, i));
        std::size_t best = 0;
        std::vector<double> costs;
        for (const double rtol : tried) costs.push_back(allowance(rtol));
        for (std::size_t i = 1; i < costs.size(); ++i)
            if (costs[i] < costs[best]) best = i;
        double low = tried[best > 0 ? best - 1 : 0], high = tried[std::min(best + 1, tried.size() - 1)];
        for (int i = 0; i < 10; ++i) {
            const double a = low + (high - low) / 3, b = high - (high - low) / 3;
            if (allowance(a) <= allowance(b))
                high = b;
            else
                low = a;
        }
        const double middle = (low + high) / 2;
        return allowance(middle) < costs[best] ? middle : tried[best];
    }

private:
    const HonestErrors& m_errors;
    double m_p, m_elements, m_size;
};

double halfStep(DType output) {
    return envelope::ulpOf(1, output) / 2;
}

} // namespace

Recommended recommend(const HonestErrors& errors, double p, double elements) {
    const Search search(errors, p, elements);
    Recommended out;
    const double rtol = roundedUp(search.sharpest(halfStep(errors.output())), kDigits);
    out.sharpest = {Rule::allclose, rtol, roundedUp(search.atolAt(rtol), kDigits)};
    const double linked = roundedUp(search.linked(), kDigits);
    out.linked = {Rule::allclose, linked, roundedUp(linkedAtol(linked), kDigits)};
    out.sharpestAlarm = errors.falseAlarm(out.sharpest.rtol, out.sharpest.atol, elements);
    out.linkedAlarm = errors.falseAlarm(out.linked.rtol, out.linked.atol, elements);
    return out;
}

} // namespace divdet::honest
