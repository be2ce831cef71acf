#pragma once
#include <span>
#include <string>
#include <string_view>

namespace divdet::lower {

/// The candidate with the fewest single-letter edits from `wanted`; empty when none is closer than half of
/// wanted's length.
std::string nearestName(std::string_view wanted, std::span<const std::string> candidates);

} // namespace divdet::lower
