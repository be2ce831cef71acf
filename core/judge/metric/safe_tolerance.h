#pragma once
#include <cstdint>
#include <limits>
#include <span>

namespace divdet {

/// A tolerance in two ways: atol with rtol 0, and rtol on the linked path (its atol is linkedAtol(rtol)).
struct ToleranceBound {
    double atol = std::numeric_limits<double>::infinity();
    double rtolLinked = std::numeric_limits<double>::infinity();

    void takeSmaller(const ToleranceBound& o) {
        if (o.atol < atol) atol = o.atol;
        if (o.rtolLinked < rtolLinked) rtolLinked = o.rtolLinked;
    }
};

/// The loosest tolerances under allclose at which no candidate within them has another largest logit than
/// this row of the reference, whose largest is at `guess`: for every other word r[guess] - r[j] exceeds
/// bound(r[guess]) + bound(r[j]), because both may err by their whole bound in opposite directions. 0 for a
/// tie; inf where no other word can come. Precondition: the row is defined (token_facts.h).
ToleranceBound safeTolerance(std::span<const double> reference, std::int64_t guess);

/// The smallest tolerances under allclose that pass all elements of a row; inf when none does.
ToleranceBound neededTolerance(std::span<const double> reference, std::span<const double> candidate);

} // namespace divdet
