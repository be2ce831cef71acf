#pragma once
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace divdet {

/// The middle of a sample and how far it scatters; quartiles interpolate between neighbours in sorted order.
struct Quartiles {
    double low = 0, median = 0, high = 0;
};

/// Precondition: not empty.
Quartiles quartilesOf(std::span<const double> sample);

/// Time with the switch off and on, measured in pairs that ran one after the other.
struct TimedPair {
    double off = 0, on = 0; ///< seconds, both > 0
};

enum class CostVerdict {
    slower, ///< three quarters of the pairs and more are slower with the switch on
    faster, ///< … are faster
    within, ///< the quartiles of the ratio lie on both sides of 1: no difference can be told
};
std::string_view name(CostVerdict verdict); ///< slower, faster, within-noise

struct SwitchCost {
    std::size_t pairs = 0;
    Quartiles off, on; ///< seconds
    Quartiles ratio;   ///< on/off of each pair, so that what slows the machine for a while cancels out
    CostVerdict verdict = CostVerdict::within;
};

/// Nothing for no pairs.
std::optional<SwitchCost> costOf(std::span<const TimedPair> pairs);

/// What others say of the price of deterministic kernels; a quotation, never measured here.
inline constexpr double kQuotedCostLow = 0.10, kQuotedCostHigh = 0.30;

} // namespace divdet
