#pragma once
#include <span>
#include <vector>

#include "compare/tolerance.h"
#include "judge/envelope/envelope.h"
#include "tensor/dtype.h"

namespace divdet {

/// How far each element of a tap may lie from the reference r in an honest run: |mean − r| + k·σ before the
/// last rounding, and half a step of the output dtype for that rounding. In the unit of the tensor.
struct ElementBounds {
    double k = 0;              ///< standard deviations: a Gaussian tail, p shared by all elements
    std::vector<double> bound; ///< row-major; 0 where theory expects the reference's own number
};

/// `field` is the tap's envelope with the storage rounding in its variance, as envelopeOf gives it;
/// `reference` has as many elements. `possible` (may be empty): the farthest that hard bounds allow before
/// the last rounding, where those are known; no element gets more. p: the chance that an honest run exceeds
/// some bound.
ElementBounds elementBounds(const envelope::Field& field, std::span<const double> reference, DType output,
                            double p, std::span<const double> possible = {});

/// The tightest tolerances (rule allclose) that allow every element its bound.
struct DerivedTolerance {
    double k = 0, p = 0;
    Tolerance linked;   ///< on the path of linkedAtol
    Tolerance nearZero; ///< atol for the elements near zero, and the rtol that the others still need
};
DerivedTolerance derivedTolerance(const ElementBounds& bounds, std::span<const double> reference, double p);

} // namespace divdet
