#pragma once
#include "block/attributes.h"

namespace divdet::block::ops {

/// The number a scale op multiplies by: factor · sqrt(sqrt_of / rsqrt_of), each 1 when absent. With heads and
/// width there it is attention's 1/sqrt(width/heads).
double scaleFactor(const Attributes& attributes);

} // namespace divdet::block::ops
