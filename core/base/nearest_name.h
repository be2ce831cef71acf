#pragma once
#include <span>
#include <string>
#include <string_view>

namespace divdet {

/// The candidate closest to a mistyped name, for hints; empty when none is at least half alike.
std::string nearestName(std::string_view wanted, std::span<const std::string> candidates);

} // namespace divdet
