#include "judge/taps/levels.h"

#include <algorithm>
#include <array>
#include <limits>

namespace divdet {
namespace {

/// A sorted set that stops growing beyond a limit.
class Distinct {
public:
    explicit Distinct(std::int64_t most)
        : m_most(static_cast<std::size_t>(most)) {}
    void add(double v) {
        if (!m_values.empty() && v == m_last) return;
        m_last = v;
        const auto at = std::lower_bound(m_values.begin(), m_values.end(), v);
        if (full() || (at != m_values.end() && *at == v)) return;
        m_values.insert(at, v);
    }
    bool full() const { return m_values.size() >= m_most; }
    const std::vector<double>& values() const { return m_values; }

private:
    std::size_t m_most;
    std::vector<double> m_values;
    double m_last = 0;
};

} // namespace

std::optional<LevelFacts> findLevels(const TapElements& elements, const Progress& progress) {
    Distinct candidate(kFewLevels), reference(kManyLevels + 1);
    std::array<double, TapElements::kBlock> r, c;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const std::int64_t total = elements.data().reference.elements();
    for (std::int64_t first = 0; first < total && !progress.cancelled(); first += TapElements::kBlock) {
        const auto n = static_cast<std::size_t>(std::min(TapElements::kBlock, total - first));
        elements.load(first, {r.data(), n}, {c.data(), n});
        for (std::size_t i = 0; i < n && !candidate.full(); ++i) candidate.add(c[i]);
        if (candidate.full()) return {};
        for (std::size_t i = 0; i < n; ++i) {
            reference.add(r[i]);
            low = std::min(low, r[i]);
            high = std::max(high, r[i]);
        }
    }
    LevelFacts out{static_cast<std::int64_t>(candidate.values().size()),
                   static_cast<std::int64_t>(reference.values().size()), 1};
    double step = high - low;
    for (std::size_t i = 1; i < candidate.values().size(); ++i)
        step = std::min(step, candidate.values()[i] - candidate.values()[i - 1]);
    if (step > 0) out.steps = (high - low) / step;
    return out;
}

} // namespace divdet
