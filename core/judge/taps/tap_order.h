#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "judge/taps/tap_name.h"

namespace divdet {

/// Indices of the taps in the order in which they were computed. That is the order given, but for gradients
/// listed by rising layer, as parameters are: backward passes run from the last layer to the first.
std::vector<std::size_t> executionOrder(std::span<const TapName> names);

} // namespace divdet
