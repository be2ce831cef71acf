#include "judge/envelope/expected_rounding.h"

#include <algorithm>
#include <cmath>

#include "judge/gaussian_tail.h"

namespace divdet::envelope {
namespace {

constexpr double kTails = 3;
/// In steps: from here on a spread reaches beyond the next multiples, and an even one describes it.
constexpr double kEven = 0.45;
/// In spreads: a tie farther away than this is out of reach.
constexpr double kReach = 6;

} // namespace

Expected expectedRounding(double x, double variance, double step, bool towardsZero) {
    const double size = std::abs(x);
    if (!std::isfinite(x)) return {x, variance};
    if (variance == 0)
        return {
            std::copysign((towardsZero ? std::floor(size / step) : std::nearbyint(size / step)) * step, x),
            0};
    const double shifted = size - (towardsZero ? step / 2 : 0); // truncating: to nearest, half a step less
    const double spread = kTails * std::sqrt(variance);
    if (spread >= kEven * step || shifted < 0)
        return {std::copysign(std::max(0.0, shifted), x), variance + step * step / 12};
    const double nearest = std::nearbyint(shifted / step) * step;
    const auto likely = [&](double distance) { // that a tie is passed
        return distance > kReach * spread ? 0 : upperTail(distance / spread);
    };
    const double up = likely(step / 2 - (shifted - nearest)), down = likely(step / 2 + (shifted - nearest));
    // Three times as many numbers are in reach of a tie as with the spread itself: each counts a third.
    return {std::copysign(nearest + step * (up - down), x),
            step * step * (up + down - (up - down) * (up - down)) / kTails};
}

} // namespace divdet::envelope
