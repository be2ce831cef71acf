#pragma once
#include "lower/lowered.h"

namespace divdet::lower {

/// Slots of one op after every choice had its say, and who lost which slot.
struct Resolved {
    Slots slots;
    SetBy setBy;
    std::vector<Overridden> overridden; ///< each with this one op
};

/// Precondition: every choice passed checkFit.
Resolved resolve(const block::BoundGraph& block, const block::Op& op, const std::vector<PassChoice>& choices);

} // namespace divdet::lower
