#pragma once

/// What rounding makes of a number that is known up to a spread. Where that is much smaller than a step, the
/// rounding is known too, but for the numbers next to a tie; where it is not, the rounding spreads evenly
/// over the step. It matters beyond one element: a channel far above its row, rounded alike in all columns of
/// a product, gives the row one error in common, which no variance of single elements describes.
namespace divdet::envelope {

struct Expected {
    double mean, variance;
};

/// x to the nearest multiple of `step` (ties may go either way), or towards zero. Spreads are first-order
/// estimates with tails of their own: which side of a tie a number falls on is taken to be three times as
/// uncertain. Precondition: step > 0, variance >= 0. NaN and infinities stay what they are.
Expected expectedRounding(double x, double variance, double step, bool towardsZero);

} // namespace divdet::envelope
