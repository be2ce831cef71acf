#pragma once

namespace divdet {

/// The maths of a tolerance track: an end stop 0 at the left, a gap, then 1e-9 … 1 in logarithmic steps.
/// `length` and `gap` in px; positions are px from the left end of the track.
struct TolScale {
    double length = 200;
    double gap = 22;

    static constexpr double smallest = 1e-9;
    static constexpr double largest = 1;

    /// Where a value stands: 0 (or less) at the stop, values beyond either end at that end of the log part.
    double positionOf(double value) const;

    /// The value under a position: 0 left of the middle of the gap, else 2 significant digits.
    double valueAt(double position) const;

    /// The neighbour `tenths` tenths of a decade away, on the grid 1, 1.3, 1.6, 2, 2.5, 3.2, 4, 5, 6.3, 7.9.
    /// Below 1e-9 comes 0; a value between two grid points goes to the next one in that direction.
    static double stepped(double value, int tenths);
};

} // namespace divdet
