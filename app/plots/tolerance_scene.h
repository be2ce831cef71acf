#pragma once
#include "gui/sane_answer.h"
#include "gui/theme_pass.h"
#include "plots/window.h"
#include <QString>

namespace divdet {

/// One curve of the tolerance plane with how it looks and what it stands for.
struct SceneCurve {
    enum class Role { drift, bug, together, allPairs, selectedPair };
    Role role = Role::drift;
    QString id; ///< pass id, tap name or "all together"
    QString label;
    PassStyle style;
    bool landmark = false; ///< a bug that is not on
    FrontierCurve frontier;
    double needsLinked = 0; ///< rtol on the linked path; inf: none
};

/// The window of sane tolerances as the plane shows it.
struct SceneSane {
    std::optional<SaneLine> line; ///< none: there is no window, and `text` says why
    QString text;                 ///< "6 of 9 bugs fail"
};

/// What the plane shows, apart from the current tolerance and the view. Depends on rule and NaN setting only.
struct ToleranceScene {
    std::vector<SceneCurve> curves;                ///< in drawing order
    int region = -1;                               ///< the curve above which everything judged passes
    std::vector<CurvePoint> windowLow, windowHigh; ///< drift envelope and bug curve; empty without bugs
    std::optional<BugWindow> window;               ///< the bug it is about, whether or not it is open
    QString windowBug;                             ///< its label
    std::optional<SceneSane> sane; ///< once it is found, the window is this one instead of the bug's

    bool windowOpen() const { return sane ? sane->line.has_value() : window && window->window.has_value(); }
};

/// `sane` (may be null): the answer for this run.
ToleranceScene sceneOf(const LiveResult& live, const Tolerance& t, const SaneAnswer* sane = nullptr);
/// All judged pairs in ink and the selected one (index of a pair, -1 for none) in blue.
ToleranceScene sceneOf(const Comparison& comparison, int selectedTap, const Tolerance& t);

/// Why the sane window is closed, or "no window: fp16 accumulator needs rtol 7.2e-3, less than
/// int8’s 8.2e-3"; empty while one is open or no bug is shown.
QString noWindowText(const ToleranceScene& scene);

} // namespace divdet
