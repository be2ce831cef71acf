#pragma once
#include "lower/pass_def.h"

namespace divdet::lower {

/// What a wrong int8 scale needs. Any operand but int8 yields to it; int8 itself keeps its granularity.
inline Claim impliedInt8() {
    return {Slot::operand, operandRank(Operand::int8) - 1, [](Slots& s) { s.operand = Operand::int8; }, true};
}

} // namespace divdet::lower
