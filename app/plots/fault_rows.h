#pragma once
#include <QString>
#include <vector>

#include "session/run_block.h"

namespace divdet {

/// One row of the Faults plot: a pass on its own, or all together. Numbers are the largest of the judged
/// taps.
struct FaultRow {
    QString id, variant;
    bool bug = false, together = false;
    bool pending = false;              ///< on, but its single run is not there yet
    double maxAbs = 0;                 ///< unit of the tensor
    double maxRel = 0;                 ///< ratio; over references that are not zero
    std::int64_t infiniteRel = 0;      ///< elements that differ where the reference is zero
    double needsRtol = 0;              ///< on the linked path; inf: no tolerance passes
    Verdict verdict = Verdict::within; ///< at the tolerance
    CountBounds over;
};

/// Drift passes that are on, in the order of the pass list, then bugs, then all together. Empty with no pass
/// on.
std::vector<FaultRow> faultRows(const LiveResult& live, const Tolerance& tolerance);

} // namespace divdet
