#pragma once
#include <string_view>

namespace divdet {

/// Order of names as people count: runs of digits compare as numbers of any length, so `layers.2` comes
/// before `layers.10`. A strict weak order; equal only for equal names.
bool naturalLess(std::string_view a, std::string_view b);

} // namespace divdet
