#pragma once
#include <span>

#include "judge/local/carried.h"

namespace divdet::local {

/// What a foreign kernel may add that computes one of our ops in several, and stores what lies between them
/// in the dtype of the result (norms in eager bf16 or fp16; nothing where the result is fp32 or wider), and
/// by a product whose sums start from its bias.
void addInnerRoundings(const lower::LoweredOp& op, std::span<const Operand> operands, Allowed& allowed);

/// What every addition of a product's sum may lose of a number that it started from: per unit of that number,
/// for `terms` products in any order on any hardware.
double lostOfStart(lower::Operand operand, std::size_t terms);

} // namespace divdet::local
