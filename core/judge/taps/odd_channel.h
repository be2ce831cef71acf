#pragma once
#include <optional>

#include "judge/taps/channel_sums.h"
#include "judge/taps/elements.h"
#include "judge/taps/tap_facts.h"

namespace divdet {

/// The channel that stands out most over the median channel of its axis. None when no axis has channels, or
/// the median channel of each is exact: then one bad bit would stand out infinitely.
std::optional<ChannelFacts> findOddChannel(const ChannelSums& sums);

/// What the channel's error is made of: reads the channel (twice).
void explainChannel(ChannelFacts& channel, const TapElements& elements, const Progress& progress);

} // namespace divdet
