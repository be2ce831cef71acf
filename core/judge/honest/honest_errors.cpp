#include "judge/honest/honest_errors.h"

#include <algorithm>
#include <cmath>

#include "judge/envelope/rules.h"
#include "judge/gaussian_tail.h"

namespace divdet::honest {
namespace {

constexpr int kSlots = 16;                ///< per binade
constexpr std::size_t kMostSmooth = 4096; ///< elements evaluated one by one
constexpr double kFar = 9;                ///< standard deviations beyond which nothing is expected

/// E[min(max(e − from, 0), width)] for e normal around `shift`, |e| at most reach.
double meanLength(double from, double width, double shift, double sigma, double reach) {
    if (from >= reach || width <= 0) return 0;
    if (sigma <= 0) return std::clamp(shift - from, 0.0, width);
    if (from - shift > kFar * sigma) return 0;
    const double x = (from - shift) / sigma;
    return std::min(width, sigma * (upperTailIntegral(x) - upperTailIntegral(x + width / sigma)));
}

} // namespace

void HonestErrors::add(std::span<const ExpectedElement> draw) {
    ++m_draws;
    for (ExpectedElement e : draw) {
        ++m_elements;
        if (std::signbit(e.reference)) e.reference = -e.reference, e.shift = -e.shift; // away from zero is up
        m_magnitudes += e.reference;
        m_largestSpread = std::max(m_largestSpread, std::abs(e.shift) + e.sigma);
        m_smooth.push_back(e);
    }
}

void HonestErrors::finish() {
    // A lattice so fine that the failing part of a cell spans many needs no cells.
    const bool coarse = m_output == DType::bf16 || m_output == DType::f16;
    std::vector<ExpectedElement> smooth;
    int lowest = 4096, highest = -4096;
    for (const ExpectedElement& e : m_smooth)
        if (e.reference > 0)
            lowest = std::min(lowest, std::ilogb(e.reference)),
            highest = std::max(highest, std::ilogb(e.reference));
    if (coarse && highest >= lowest)
        m_slots.assign(static_cast<std::size_t>(highest - lowest + 1), std::vector<Slot>(kSlots));
    m_lowest = lowest;
    for (const ExpectedElement& e : m_smooth) {
        if (!coarse || e.reference == 0 ||
            std::max(e.sigma, std::abs(e.shift)) > envelope::ulpOf(e.reference, m_output) / 4) {
            smooth.push_back(e);
            continue;
        }
        const int binade = std::ilogb(e.reference);
        const double mantissa = std::ldexp(e.reference, -binade);
        Slot& s = m_slots[static_cast<std::size_t>(binade - lowest)]
                         [static_cast<std::size_t>((mantissa - 1) * kSlots)];
        s.count += 1;
        s.shift += e.shift;
        s.variance += e.sigma * e.sigma;
        s.reach = std::max(s.reach, e.reach);
    }
    // Every so many in order: elements of all rows and draws.
    if (smooth.size() > kMostSmooth) {
        m_smoothWeight = static_cast<double>(smooth.size()) / kMostSmooth;
        std::vector<ExpectedElement> few;
        for (std::size_t i = 0; i < kMostSmooth; ++i)
            few.push_back(smooth[static_cast<std::size_t>(static_cast<double>(i) * m_smoothWeight)]);
        smooth = std::move(few);
    }
    m_smooth = std::move(smooth);
}

/// y = r + e is what is rounded. It is uniform over the cell of the lattice point c, and r = y − e fails
///   from above (c > r)  where y < (c − atol)/(1 + rtol) + e,
///   from below (c < r)  where y > (c + atol)/(1 − rtol) + e.
double HonestErrors::failingInSlot(int binade, int sixteenth, const Slot& slot, double rtol,
                                   double atol) const {
    const double unit = std::ldexp(1.0, binade), step = envelope::ulpOf(unit, m_output);
    const double first = unit * (1 + static_cast<double>(sixteenth) / kSlots), last = first + unit / kSlots;
    const double shift = slot.shift / slot.count, sigma = std::sqrt(slot.variance / slot.count);
    if (atol + rtol * first > 2 * step + std::abs(shift) + kFar * sigma) return 0;
    const auto cells = static_cast<std::int64_t>((last - first) / step);
    double length = 0;
    for (std::int64_t i = 0; i < std::max<std::int64_t>(1, cells); ++i) {
        const double c = first + static_cast<double>(i) * step;
        const bool corner = i == 0 && sixteenth == 0 && c == unit; // below a power of two the steps are half
        const double low = c - (corner ? step / 4 : step / 2), high = c + step / 2;
        length += meanLength(low - (c - atol) / (1 + rtol), high - low, shift, sigma, slot.reach);
        if (rtol < 1)
            length += meanLength((c + atol) / (1 - rtol) - high, high - low, -shift, sigma, slot.reach);
    }
    return slot.count * length / (last - first);
}

/// d = e + w, w uniform over the half steps of the lattice where the result lands.
double HonestErrors::failingElement(const ExpectedElement& e, double rtol, double atol) const {
    const double allowed = atol + rtol * e.reference;
    double chance = 0;
    for (const double side : {1.0, -1.0}) {
        const double half = envelope::ulpOf(e.reference + side * allowed, m_output) / 2,
                     shift = side * e.shift;
        if (allowed - half - shift > kFar * e.sigma && allowed - half > shift) continue;
        chance += meanLength(allowed - half, 2 * half, shift, e.sigma, e.reach) / (2 * half);
    }
    return std::min(1.0, chance);
}

double HonestErrors::failing(double rtol, double atol) const {
    if (m_draws == 0) return 0;
    double sum = 0;
    for (const ExpectedElement& e : m_smooth) sum += m_smoothWeight * failingElement(e, rtol, atol);
    for (std::size_t b = 0; b < m_slots.size(); ++b)
        for (int s = 0; s < kSlots; ++s)
            if (const Slot& slot = m_slots[b][static_cast<std::size_t>(s)]; slot.count > 0)
                sum += failingInSlot(m_lowest + static_cast<int>(b), s, slot, rtol, atol);
    return sum / static_cast<double>(m_draws);
}

double HonestErrors::falseAlarm(double rtol, double atol, double elements) const {
    const double share = elements > 0 && elementsPerRun() > 0 ? elements / elementsPerRun() : 1;
    return -std::expm1(-failing(rtol, atol) * share);
}

} // namespace divdet::honest
