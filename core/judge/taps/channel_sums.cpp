#include "judge/taps/channel_sums.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace divdet {
namespace {

constexpr std::int64_t kFewestChannels = 16, kMostChannels = std::int64_t{1} << 20, kFewestElements = 8;
constexpr double kConstant = 1e-12; ///< share of the energy left without the mean
constexpr std::size_t kLanes = 8; ///< partial sums: the compiler may use vectors, and the bits do not change

/// Σ(c−r)², Σr², Σr and max |r| of up to kLanes elements at a time.
struct Lanes {
    std::array<double, kLanes> error{}, signal{}, mean{}, largest{};

    void add(const double* r, const double* c) {
        for (std::size_t l = 0; l < kLanes; ++l) {
            const double e = c[l] - r[l], a = std::fabs(r[l]);
            error[l] += e * e;
            signal[l] += r[l] * r[l];
            mean[l] += r[l];
            largest[l] = largest[l] > a ? largest[l] : a;
        }
    }
    static double sum(const std::array<double, kLanes>& x) {
        return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
    }
};

} // namespace

ChannelSums::ChannelSums(const Shape& shape, double unit)
    : m_shape(shape)
    , m_unit(unit)
    , m_row(shape.empty() ? 1 : shape.back())
    , m_elements(elementCount(shape).value_or(0))
    , m_at(shape.empty() ? 0 : shape.size() - 1, 0)
    , m_axes(shape.size()) {
    for (std::size_t a = 0; a < shape.size(); ++a) {
        const auto extent = shape[a];
        if (extent < kFewestChannels || extent > kMostChannels || m_elements / extent < kFewestElements)
            continue;
        m_axes[a].perIndex = m_elements / extent;
        for (auto* v : {&m_axes[a].error, &m_axes[a].signal, &m_axes[a].mean})
            v->assign(static_cast<std::size_t>(extent), 0);
    }
}

void ChannelSums::addPart(const double* r, const double* c, std::int64_t n) {
    const auto count = static_cast<std::size_t>(n);
    if (!m_axes.empty() && !m_axes.back().error.empty()) {
        double* const error = m_axes.back().error.data() + m_column;
        double* const signal = m_axes.back().signal.data() + m_column;
        double* const mean = m_axes.back().mean.data() + m_column;
        for (std::size_t i = 0; i < count; ++i) {
            const double e = c[i] - r[i];
            error[i] += e * e;
            signal[i] += r[i] * r[i];
            mean[i] += r[i];
        }
    }
    Lanes lanes;
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) lanes.add(r + i, c + i);
    if (i < count) {
        std::array<double, kLanes> lastR{}, lastC{};
        std::copy(r + i, r + count, lastR.begin());
        std::copy(c + i, c + count, lastC.begin());
        lanes.add(lastR.data(), lastC.data());
    }
    m_rowSums += {Lanes::sum(lanes.error), Lanes::sum(lanes.signal), Lanes::sum(lanes.mean)};
    m_largest = std::max(m_largest, *std::max_element(lanes.largest.begin(), lanes.largest.end()));
}

void ChannelSums::endRow() {
    const Sums& s = m_rowSums;
    const double n = static_cast<double>(m_row);
    for (std::size_t a = 0; a < m_at.size(); ++a) {
        if (m_axes[a].error.empty()) continue;
        const auto i = static_cast<std::size_t>(m_at[a]);
        m_axes[a].error[i] += s.error;
        m_axes[a].signal[i] += s.signal;
        m_axes[a].mean[i] += s.mean;
    }
    m_withinRows += std::max(0.0, s.signal - s.mean * s.mean / n);
    if (s.error > 0 && s.signal > 0 && m_unit > 0) {
        const double ulp = 2 * m_unit * std::exp2(std::floor(std::log2(std::sqrt(s.signal / n))));
        m_ulps2 += s.error / (ulp * ulp);
    }
    m_total += s;
    m_rowSums = {};
    m_column = 0;
    for (std::size_t a = m_at.size(); a-- > 0;) {
        if (++m_at[a] < m_shape[a]) break;
        m_at[a] = 0;
    }
}

void ChannelSums::add(std::span<const double> reference, std::span<const double> candidate) {
    for (std::size_t done = 0; done < reference.size();) {
        const auto n =
            std::min<std::int64_t>(static_cast<std::int64_t>(reference.size() - done), m_row - m_column);
        addPart(reference.data() + done, candidate.data() + done, n);
        done += static_cast<std::size_t>(n);
        m_column += n;
        if (m_column == m_row) endRow();
    }
}

double ChannelSums::rowUlps() const {
    return m_elements ? std::sqrt(m_ulps2 / static_cast<double>(m_elements)) : 0;
}

std::vector<double> ChannelSums::meanShare() const {
    // Constant up to rounding: without its mean nothing would be left to amplify an error against.
    const auto share = [&](double within) {
        return within > kConstant * m_total.signal ? std::sqrt(m_total.signal / within) : 1;
    };
    std::vector<double> out;
    for (const Axis& a : m_axes) {
        double between = 0;
        for (const double m : a.mean) between += m * m / static_cast<double>(a.perIndex);
        out.push_back(a.mean.empty() ? 1 : share(m_total.signal - between));
    }
    out.push_back(m_row >= kFewestElements ? share(m_withinRows) : 1);
    out.push_back(share(m_total.signal - m_total.mean * m_total.mean / static_cast<double>(m_elements)));
    return out;
}

} // namespace divdet
