#include "plots/tolerance_scene.h"
#include "compare/pass_region.h"
#include "gui/number_format.h"
#include "plots/pass_text.h"
#include <algorithm>
#include <limits>

namespace divdet {
namespace {

// Further than the sliders go, so that panning finds curves too.
constexpr double kLow = 1e-12, kHigh = 1e3;
constexpr double kAbove = 1e30;       // atol above every plane: a window that nothing bounds
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

QString nameOf(const SaneAnswer& sane, std::size_t run) {
    const SaneRun& r = sane.runs->runs[run];
    if (r.kind == SaneKind::together) return allTogetherId;
    QString name = curveText(r.passes.front());
    return name.remove(QStringLiteral(" (bug)"));
}

QString closedText(const SaneAnswer& sane, const SaneScope& scope) {
    const SaneWindow& w = scope.window;
    const QString most =
        w.honestMost ? nameOf(sane, scope.honest[*w.honestMost]) : QStringLiteral("honest drift");
    switch (w.state) {
    case SaneWindow::State::open:
        return {};
    case SaneWindow::State::noHonestRun:
        return QStringLiteral("no window: no drift pass fits this block");
    case SaneWindow::State::noFault:
        return QStringLiteral("no window: no bug fits this block");
    case SaneWindow::State::honestFails:
        return QStringLiteral("no window: %1 passes at no tolerance").arg(most);
    case SaneWindow::State::nothingTested:
        return QStringLiteral("no window: zeros pass where %1 does").arg(most);
    case SaneWindow::State::closed:
        return QStringLiteral("no window: every bug needs no more than %1’s rtol %2")
            .arg(most, num::neededTolerance(w.honestNeeds));
    }
    return {};
}

/// Between what every honest run needs and what the first of the caught faults, or zeros, need.
void addSane(ToleranceScene& scene, const SaneAnswer& sane, const Tolerance& asked) {
    const SaneScope& scope = sane.chosen(asked);
    const SaneWindow& w = scope.window;
    const Tolerance t{frontierRule(asked.rule), 0, 0, asked.equalNan, {}};
    if (w.state == SaneWindow::State::noHonestRun) return;
    if (!w.open()) {
        scene.sane = SceneSane{std::nullopt, closedText(sane, scope)};
        return;
    }
    scene.sane = SceneSane{
        w.best,
        QStringLiteral("%1 of %2 bugs fail").arg(num::count(w.best->caught), num::count(w.faults.size()))};
    std::vector<const Comparison*> honest;
    for (const std::size_t i : scope.honest) honest.push_back(sane.runs->runs[i].comparison.get());
    const auto curve = [&](const PassRegion& r) { return sampleFrontier(r.frontier, t.rule, kLow, kHigh); };
    scene.windowLow = curve(passRegion(honest, t));
    std::vector<std::vector<CurvePoint>> high{{{kLow, kAbove}, {kHigh, kAbove}}};
    for (const PassRegion& zeros : zerosRegions(honest)) high.push_back(curve(zeros));
    for (std::size_t i = 0; i < scope.faults.size(); ++i) {
        if (w.faults[i].separation != Separation::caught) continue;
        const Comparison* fault = sane.runs->runs[scope.faults[i]].comparison.get();
        if (const PassRegion region = passRegion({&fault, 1}, t); !region.never)
            high.push_back(curve(region));
    }
    scene.windowHigh = lowerEnvelope(high);
}

} // namespace

ToleranceScene sceneOf(const LiveResult& live, const Tolerance& t, const SaneAnswer* sane) {
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
    if (sane) addSane(scene, *sane, t);
    if (!live.together || live.request.passes.empty()) return scene;
    SceneCurve all = curveOf(SceneCurve::Role::together, allTogetherId, allTogetherId,
                             passStyle(allTogetherId), *live.together, t);
    if (!scene.sane && scene.window && scene.window->worstDrift == allTogetherId && !all.frontier.never)
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
    if (scene.sane) return scene.sane->line ? QString() : scene.sane->text;
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
