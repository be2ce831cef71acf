#pragma once
#include <string>

#include "lower/lowered.h"

namespace divdet {

/// The arithmetic of an op in words: "tf32 operands, fp32 sums in one chain, stored as f32". For sentences.
std::string arithmeticText(const lower::LoweredOp& op);

} // namespace divdet
