#pragma once

namespace divdet {

/// A visible stretch of an axis, in its own coordinates.
struct ViewRange {
    double low = 0, high = 1;
    double size() const { return high - low; }
    friend bool operator==(const ViewRange&, const ViewRange&) = default;
};

/// Zoomed by `factor` (< 1: closer) with `fixed` staying where it is; never narrower than `least`, never
/// wider than `most`.
ViewRange zoomedAt(ViewRange view, double fixed, double factor, double least = 1e-3, double most = 400);

/// The same stretch with its ends in order, at least `least` wide around its middle.
ViewRange ordered(double a, double b, double least = 1e-3);

} // namespace divdet
