#pragma once
#include <cstdint>

#include "base/progress.h"
#include "base/result.h"
#include "hunt/answer.h"
#include "hunt/item_set.h"

namespace divdet::hunt {

/// Runs what is hunted with some items on. The only part of a hunt that knows what an item is.
class Oracle {
public:
    virtual ~Oracle() = default;

    /// One run. `repetition` counts the runs of this set, from 0: what varies from run to run takes it as its
    /// seed. Errors end the hunt: cancelled, or what no other set could get round. A run that fails, crashes
    /// or cannot be made is an Outcome.
    virtual Result<Outcome> ask(const ItemSet& on, std::uint64_t repetition, const Progress& progress) = 0;

    /// Whether the same set may be answered differently another time. False saves the repetitions.
    virtual bool varies() const { return true; }
};

} // namespace divdet::hunt
