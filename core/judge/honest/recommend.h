#pragma once
#include "judge/honest/honest_errors.h"

namespace divdet::honest {

/// Tolerances with which an honest run fails with probability p, rounded up to four digits.
struct Recommended {
    Tolerance sharpest; ///< of all such pairs the one that allows least, on average over the elements
    Tolerance linked;   ///< on the path of linkedAtol
    double sharpestAlarm = 0, linkedAlarm = 0; ///< of the rounded numbers
};

/// 0 < p < 1. `elements`: how many a run compares; 0: as many as a draw has.
Recommended recommend(const HonestErrors& errors, double p, double elements = 0);

} // namespace divdet::honest
