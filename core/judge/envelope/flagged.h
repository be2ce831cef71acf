#pragma once

/// Apart from envelope.h, for views: Qt's macros and the slots of ops do not go together.
namespace divdet::envelope {

/// A tap that honest runs do not give: rms z above 2, or one z above 10. Of honest runs of four layers fewer
/// than one in a hundred has such a tap (tests/core/judge/envelope/calibration_test.cpp: 2 of 18,000 over 15
/// drifts and normal, positive and outlier-channel data), so a flag alone never proves a bug.
inline constexpr double kFlaggedRms = 2, kFlaggedLargest = 10;

} // namespace divdet::envelope
