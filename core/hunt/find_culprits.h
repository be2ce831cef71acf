#pragma once
#include <vector>

#include "hunt/asker.h"

namespace divdet::hunt {

/// What a search comes down to.
struct Found {
    std::vector<std::size_t> items; ///< rising; they are bad together (counter: the last one makes it bad)
    bool resolved = true;           ///< false: a smaller answer could not be had, these are suspects
};

/// Searches among the items of the asker's top set, with the others off. Precondition: the top set is bad and
/// nothing on is good.
Result<Found> findCulprits(Asker& asker);

/// The same for the form counter: the first item that turns good into bad.
Result<Found> findInCounter(Asker& asker);

} // namespace divdet::hunt
