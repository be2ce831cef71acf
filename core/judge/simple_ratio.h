#pragma once
#include <optional>
#include <string>

#include "tensor/shape.h"

namespace divdet {

/// A factor that a known mistake leaves behind: 2, 1/2, −1, √d and 1/√d of a dimension, 127/128, 127/255 …
/// None when no such factor lies within `slack` (relative) of `gain`.
std::optional<std::string> simpleRatio(double gain, double slack, const Shape& shape);

} // namespace divdet
