#pragma once
#include <QString>
#include <optional>
#include <vector>

#include "plots/frontier_curve.h"
#include "session/run_block.h"

namespace divdet {

/// Tolerances on the linked path under which drift passes and the bug does not.
struct ToleranceWindow {
    double rtolLow;    ///< what drift needs: passes from here on
    double rtolHigh;   ///< what the bug needs: it is still caught below
    double rtol, atol; ///< the middle, halfway on the log axis
};

/// `drift` and `bug` are needed rtols on the linked path; inf: nothing passes. None when the bug needs no
/// more than drift, or drift passes nowhere. Both ends are cut to the sliders' range 1e-9 … 1.
std::optional<ToleranceWindow> linkedWindow(double drift, double bug);

/// One bug against the drift that is on.
struct BugWindow {
    lower::PassChoice bug;
    bool enabled = false;  ///< false: one of the landmarks
    QString worstDrift;    ///< id of the pass that needs most, "all together" when only the sum needs it
    double driftNeeds = 0; ///< rtol on the linked path at the judged taps
    double bugNeeds = 0;
    std::optional<ToleranceWindow> window;
};

/// Every bug of a live run: those that are on first, in pass order, then the landmarks. Drift is the highest
/// of the drift passes alone, and of all together when no bug is on. Of `t` the rule and the NaN setting
/// count.
std::vector<BugWindow> bugWindows(const LiveResult& live, const Tolerance& t);

/// The one to draw and to speak of: the first that is open; else the first; none without bugs.
const BugWindow* chosenWindow(const std::vector<BugWindow>& windows);

/// The lower envelope of drawn curves that reach as far to the left: what lies under all of them. It ends
/// where the first of them does.
std::vector<CurvePoint> lowerEnvelope(const std::vector<std::vector<CurvePoint>>& curves);

/// The upper envelope of drawn curves, for the window's lower edge.
std::vector<CurvePoint> upperEnvelope(const std::vector<const std::vector<CurvePoint>*>& curves);

} // namespace divdet
