#pragma once
#include <optional>

#include "judge/taps/elements.h"
#include "judge/taps/tap_facts.h"

namespace divdet {

inline constexpr std::int64_t kFewLevels = 16, kManyLevels = 256;

/// Distinct values of the candidate when it has fewer than kFewLevels; reads no further than it must.
std::optional<LevelFacts> findLevels(const TapElements& elements, const Progress& progress);

} // namespace divdet
