#pragma once

/// Apart from envelope.h, for views: Qt's macros and the slots of ops do not go together.
namespace divdet::envelope {

/// A tap that honest runs do not give: rms z above 2, or one z above 10 (calibrated on normal and
/// outlier-channel data). Sums of same-sign data move together, so such a flag alone never proves a bug.
inline constexpr double kFlaggedRms = 2, kFlaggedLargest = 10;

} // namespace divdet::envelope
