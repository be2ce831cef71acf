#include "plots/tolerance_scene.h"
#include "gui/number_format.h"
#include "plots/pass_text.h"
#include <algorithm>
#include <limits>

namespace divdet {
namespace {

// Further than the sliders go, so that panning finds curves too.
constexpr double kLow = 1e-12, kHigh = 1e3;
constexpr double kSameDecades = 0.02; // about 1 px of the plane

SceneCurve curveOf(SceneCurve::Role role, const QString& id, const QString& label, const PassStyle& style,
                   const Comparison& comparison, const Tolerance& t) {
    SceneCurve curve{role, id, label, style, false, judgedCurve(comparison, t, kLow, kHigh), 0};
    curve.needsLinked =
        curve.frontier.never ? std::numeric_limits<double>::infinity() : neededRtolLinked(comparison, t);
    return curve;
}

/// Two labels on one line would hide each other: the sum takes the name of the pass that makes it.
void mergeEqualLabels(std::vector<SceneCurve>& curves, SceneCurve& together) {
    for (SceneCurve& c : curves) {
        if (c.landmark || c.frontier.always || c.frontier.never != together.frontier.never) continue;
        if (!sameCurve(c.frontier.points, together.frontier.points, kSameDecades)) continue;
        together.label = QStringLiteral("%1 = %2").arg(together.label, c.label);
        c.label.clear();
        return;
    }
}

void addWindow(ToleranceScene& scene, const LiveResult& live, const Tolerance& t) {
    const std::vector<BugWindow> windows = bugWindows(live, t);
    const BugWindow* chosen = chosenWindow(windows);
    if (!chosen) return;
    scene.window = *chosen;
    std::vector<const std::vector<CurvePoint>*> drift;
    for (const SceneCurve& c : scene.curves) {
        const bool sumOfDrift = c.role == SceneCurve::Role::together && chosen->worstDrift == allTogetherId;
        if (c.role == SceneCurve::Role::drift || sumOfDrift) drift.push_back(&c.frontier.points);
        if (c.role == SceneCurve::Role::bug && c.style.bug && c.id == passId(chosen->bug) &&
            c.landmark != chosen->enabled && curveText(chosen->bug) == c.label) {
            scene.windowHigh = c.frontier.points;
            scene.windowBug = c.label;
        }
    }
    scene.windowLow = upperEnvelope(drift);
}

} // namespace

ToleranceScene sceneOf(const LiveResult& live, const Tolerance& t) {
    ToleranceScene scene;
    for (const PassAlone& alone : live.alone) {
        if (!alone.comparison) continue;
        const bool bug = isBug(alone.choice);
        if (!bug && !alone.enabled) continue;
        PassStyle style = styleOf(alone.choice);
        style.bug = bug;
        scene.curves.push_back(curveOf(bug ? SceneCurve::Role::bug : SceneCurve::Role::drift,
                                       passId(alone.choice), curveText(alone.choice), style,
                                       *alone.comparison, t));
        scene.curves.back().landmark = !alone.enabled;
    }
    addWindow(scene, live, t);
    if (!live.together || live.request.passes.empty()) return scene;
    SceneCurve all = curveOf(SceneCurve::Role::together, allTogetherId, allTogetherId,
                             passStyle(allTogetherId), *live.together, t);
    if (scene.window && scene.window->worstDrift == allTogetherId && !all.frontier.never)
        scene.windowLow = upperEnvelope({&scene.windowLow, &all.frontier.points});
    mergeEqualLabels(scene.curves, all);
    scene.curves.push_back(std::move(all));
    scene.region = static_cast<int>(scene.curves.size()) - 1;
    return scene;
}

ToleranceScene sceneOf(const Comparison& comparison, int selectedTap, const Tolerance& t) {
    ToleranceScene scene;
    SceneCurve all = curveOf(SceneCurve::Role::allPairs, QStringLiteral("all pairs"),
                             QStringLiteral("all judged pairs"), passStyle(allTogetherId), comparison, t);
    if (selectedTap >= 0 && selectedTap < static_cast<int>(comparison.pairs.size())) {
        const TapPair& pair = comparison.pairs[static_cast<std::size_t>(selectedTap)];
        const QString name = QString::fromStdString(pair.name);
        PassStyle style;
        style.color = Token::passBlue;
        SceneCurve one{SceneCurve::Role::selectedPair,  name, name, style, false,
                       pairCurve(pair, t, kLow, kHigh), 0};
        if (pair.summary) one.needsLinked = pair.summary->neededRtolLinked(t);
        scene.curves.push_back(std::move(one));
        mergeEqualLabels(scene.curves, all);
    }
    scene.curves.insert(scene.curves.begin(), std::move(all));
    scene.region = 0;
    return scene;
}

QString noWindowText(const ToleranceScene& scene) {
    if (!scene.window || scene.window->window || scene.window->worstDrift.isEmpty()) return {};
    const BugWindow& w = *scene.window;
    if (!std::isfinite(w.driftNeeds))
        return QStringLiteral("no window: %1 passes at no tolerance").arg(w.worstDrift);
    QString bug = curveText(w.bug);
    bug.remove(QStringLiteral(" (bug)"));
    return QStringLiteral("no window: %1 needs rtol %2, %3 needs %4")
        .arg(bug, num::neededTolerance(w.bugNeeds), w.worstDrift, num::neededTolerance(w.driftNeeds));
}

} // namespace divdet
