#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "hunt/asker.h"

namespace divdet::hunt {

/// Where good turns into bad along a row of sets.
struct Border {
    std::size_t bad, good;         ///< neighbours, unless every set between them is unresolved
    std::vector<ItemSet> seenGood; ///< sets that were answered good on the way
    bool exact() const { return bad + 1 == good || good + 1 == bad; }
};

/// Binary search between a place that is bad and one that is good (in either order), at most
/// ceil(log2 |bad - good|) questions if all are resolved. Where one is not, places around it are asked, so
/// that a run that cannot be made is gone past.
Result<Border> narrow(Asker& asker, std::size_t bad, std::size_t good,
                      const std::function<ItemSet(std::size_t)>& setAt);

} // namespace divdet::hunt
