#pragma once
#include "compare/rules/rule_block.h"

namespace divdet::rules {

/// allclose and either as this program defines them (tolerance.h), per element: for the places where an
/// answer beside another rule's is needed. scan() gives the same counts.
BlockRule plainRule(const TensorView& reference, const TensorView& candidate, const Tolerance& tolerance);

} // namespace divdet::rules
