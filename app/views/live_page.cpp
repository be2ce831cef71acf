#include "views/live_page.h"

#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "gui/number_format.h"
#include "plots/depth_plot.h"
#include "plots/faults_plot.h"
#include "plots/qcp.h"
#include "plots/scatter_plot.h"
#include "plots/tolerance_plot.h"
#include "views/block_box.h"
#include "views/pass_tree.h"
#include "views/plot_area.h"
#include "views/plot_strip.h"
#include "views/tap_plots.h"
#include "views/taps_pane.h"
#include "views/tolerance_box.h"
#include "views/widgets/plot_card.h"
#include "views/widgets/section_head.h"

namespace divdet {
namespace {

QFrame* hairline(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setObjectName(QStringLiteral("hairline"));
    return line;
}

} // namespace

LivePage::LivePage(Document* document, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection) {
    setObjectName(QStringLiteral("livePage"));
    makeControls();
    makePlots();
    connectPlots();
    connect(document, &Document::resultChanged, this, [this](Side side) {
        if (side == Side::live) showResult();
    });
    connect(document, &Document::toleranceChanged, this, [this](Side side) {
        if (side == Side::live) showTolerance();
    });
    connect(&document->sane(), &SaneFinder::changed, this, &LivePage::showSane);
    connect(selection, &Selection::changed, this, [this] {
        showScatter();
        showDepth();
    });
    showResult();
}

void LivePage::makeControls() {
    m_controls = new QWidget;
    m_controls->setObjectName(QStringLiteral("panel"));
    m_controls->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(m_controls);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_block = new BlockBox(m_document, m_controls);
    m_passes = new PassTree(m_document, m_controls);
    m_tolerance = new ToleranceBox(m_document, Side::live, m_controls);
    auto* head = new SectionHead(tr("Passes"), m_controls);
    head->setCaption(tr("needs rtol"));
    head->setContentsMargins(12, 6, 8, 2);
    column->addWidget(m_block);
    column->addWidget(hairline(m_controls));
    column->addWidget(head);
    column->addWidget(m_passes, 1);
    column->addWidget(hairline(m_controls));
    column->addWidget(m_tolerance);
}

void LivePage::makePlots() {
    m_plots = new PlotArea(this);
    m_faults = new FaultsPlot(this);
    m_plane = new TolerancePlot(this);
    m_scatter = new ScatterPlot(this);
    m_faults->setObjectName(QStringLiteral("faultsPlot"));
    m_plane->setObjectName(QStringLiteral("tolerancePlot"));
    m_scatter->setObjectName(QStringLiteral("scatterPlot"));
    m_depth = new DepthPlot(this);
    m_plots->addPlot(QStringLiteral("faults"), tr("Faults"), m_faults);
    m_plots->addPlot(QStringLiteral("tolerance"), tr("Tolerance"), m_plane);
    m_plots->addPlot(QStringLiteral("scatter"), tr("Scatter"), m_scatter);
    m_tapPlots = new TapPlots(m_document, m_selection, Side::live, m_plots, this);
    m_plots->addPlot(QStringLiteral("depth"), tr("Depth"), m_depth);
    m_plots->card(QStringLiteral("depth"))->setSubtitle(tr("error of each tap against what theory expects"));
    m_plots->card(QStringLiteral("tolerance"))
        ->setSubtitle(tr("frontier: every (rtol, atol) that just passes"));
    m_plots->showPlots({QStringLiteral("faults"), QStringLiteral("tolerance")});
    m_taps = new TapsPane(m_document, m_selection, Side::live, this);
    m_strip = new PlotStrip(m_plots, this);
    connect(m_strip, &PlotStrip::commandLineRequested, this, &LivePage::commandLineRequested);

    auto* upper = new QWidget(this);
    auto* plots = new QVBoxLayout(upper);
    plots->setContentsMargins(8, 0, 8, 8);
    plots->addWidget(m_plots);
    m_split = new QSplitter(Qt::Vertical, this);
    m_split->setHandleWidth(1);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(upper);
    m_split->addWidget(m_taps);
    m_split->setStretchFactor(0, 1);
    m_split->setStretchFactor(1, 0);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_strip);
    column->addWidget(m_split, 1);
}

void LivePage::connectPlots() {
    connect(m_plane, &TolerancePlot::toleranceDragged, this, &LivePage::dragged);
    connect(m_plane, &TolerancePlot::presetPicked, m_tolerance, &ToleranceBox::takePreset);
    m_plane->customPlot().installEventFilter(this);
    connect(m_faults, &FaultsPlot::passSelected, m_passes, &PassTree::selectPass);
    connect(m_faults, &FaultsPlot::passAloneRequested, m_passes, &PassTree::showAlone);
    connect(m_passes, &PassTree::passSelected, m_plane, &TolerancePlot::setSelectedPass);
    connect(m_passes, &PassTree::passSelected, m_faults, &FaultsPlot::setSelectedPass);
    connect(m_scatter, &ScatterPlot::elementPicked, this,
            [this](qint64 element) { m_selection->select(m_selection->tap(), element); });
    connect(m_scatter, &ScatterPlot::binPicked, this, &LivePage::binPicked);
    connect(m_depth, &DepthPlot::tapSelected, this, [this](const QString& tap) { m_selection->select(tap); });
    // A plot that comes into view was not kept up to date while it was hidden.
    connect(m_plots, &PlotArea::arrangementChanged, this, &LivePage::showShownPlots);
}

void LivePage::setTapsHeight(int height) {
    const int all = m_split->height();
    m_split->setSizes({std::max(all - height, 160), height});
}

void LivePage::setNarrow(bool narrow) {
    m_strip->setNarrow(narrow);
}

void LivePage::showResult() {
    const auto& live = m_document->live();
    const Judged& judged = live.judged();
    if (judged.comparison()) {
        const auto& pairs = judged.comparison()->pairs;
        const bool known = std::any_of(pairs.begin(), pairs.end(), [this](const TapPair& p) {
            return QString::fromStdString(p.name) == m_selection->tap();
        });
        const auto last =
            std::find_if(pairs.rbegin(), pairs.rend(), [](const TapPair& p) { return p.judged; });
        if (!known && last != pairs.rend()) m_selection->reset(QString::fromStdString(last->name));
        QStringList names;
        for (const TapPair& pair : pairs)
            if (pair.judged) names << QString::fromStdString(pair.name);
        m_plots->card(QStringLiteral("faults"))
            ->setSubtitle(tr("error of each pass alone, at %1").arg(names.join(QStringLiteral(", "))));
    }
    showShownPlots();
}

void LivePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    showShownPlots();
}

void LivePage::showShownPlots() {
    // A plot without a size cannot draw, and one that is not seen need not.
    if (!isVisible()) return;
    // Old bars stay until the new ones are complete; the first run shows what there is.
    const auto& live = m_document->live();
    const auto& drawn = live.complete() ? live.complete() : live.newest();
    const QStringList shown = m_plots->shown();
    if (shown.contains(QStringLiteral("faults"))) m_faults->setData(drawn);
    if (shown.contains(QStringLiteral("tolerance")))
        m_plane->setData(drawn, m_document->sane().answerFor(drawn));
    showTolerance();
    if (shown.contains(QStringLiteral("scatter"))) showScatter();
    showDepth();
    showSane();
    if (!live.running()) m_document->findSane();
    m_tapPlots->refresh();
    m_plots->refreshLegends();
}

void LivePage::showSane() {
    if (!isVisible() || !m_plots->shown().contains(QStringLiteral("tolerance"))) return;
    const SaneFinder& finder = m_document->sane();
    m_plane->setSane(finder.answerFor(m_document->live().complete()));
    m_plots->card(QStringLiteral("tolerance"))
        ->setSubtitle(finder.running() && !finder.progress().isEmpty()
                          ? tr("looking for the sane window: run %1").arg(finder.progress())
                          : tr("frontier: every (rtol, atol) that just passes"));
}

void LivePage::showTolerance() {
    if (!isVisible()) return;
    const ToleranceSettings& now = m_document->settings().live;
    const QStringList shown = m_plots->shown();
    if (shown.contains(QStringLiteral("faults"))) m_faults->setTolerance(now.tolerance);
    if (shown.contains(QStringLiteral("tolerance"))) m_plane->setTolerance(now.tolerance, now.linked);
    if (shown.contains(QStringLiteral("scatter"))) m_scatter->setTolerance(now.tolerance);
}

void LivePage::showScatter() {
    if (!isVisible() || !m_plots->shown().contains(QStringLiteral("scatter"))) return;
    const auto& comparison = m_document->live().judged().comparison();
    const TapPair* pair = nullptr;
    if (comparison)
        for (const TapPair& p : comparison->pairs)
            if (QString::fromStdString(p.name) == m_selection->tap()) pair = &p;
    m_scatter->setPair(pair);
    ringChosen();
    m_plots->card(QStringLiteral("scatter"))
        ->setSubtitle(tr("%1: error against |reference|").arg(m_selection->tap()));
    m_plots->refreshLegends();
}

void LivePage::showDepth() {
    if (!isVisible() || !m_plots->shown().contains(QStringLiteral("depth"))) return;
    const LiveSide& live = m_document->live();
    m_depth->setSelectedTap(m_selection->tap());
    // Points of the last run stay until those of the new one are settled.
    if (live.classesPending() && !m_depth->points().empty()) return;
    m_depth->setData(live.judged().comparison(), live.classesPending());
}

void LivePage::showPlace() const {
    m_tapPlots->showPlace();
}

void LivePage::showElement(double reference, double candidate, bool chosen) {
    if (m_document->side() != Side::live) return;
    m_chosen.reset();
    if (chosen) m_chosen = Chosen{m_selection->tap(), reference, candidate};
    ringChosen();
}

void LivePage::ringChosen() {
    if (m_chosen && m_chosen->tap == m_selection->tap())
        m_scatter->setChosen(m_chosen->reference, m_chosen->candidate);
    else
        m_scatter->clearChosen();
}

void LivePage::dragged(double rtol, double atol) {
    if (!std::exchange(m_dragging, true)) m_document->beginGesture();
    ToleranceSettings next = m_document->settings().live;
    const double onPath = linkedAtol(rtol);
    if (next.linked && std::abs(atol - onPath) <= 0.05 * onPath) {
        next = withRtol(next, rtol);
    } else {
        next.linked = false;
        next.tolerance.rtol = rtol;
        next.tolerance.atol = atol;
    }
    m_document->setTolerance(Side::live, next, tr("Drag the tolerance"));
}

bool LivePage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonRelease && std::exchange(m_dragging, false))
        m_document->endGesture();
    return QWidget::eventFilter(watched, event);
}

QString LivePage::commandLine() const {
    const Settings& settings = m_document->settings();
    return QString::fromStdString(
        divdet::commandLine(settings.run.request(settings.live.tolerance), settings.live.tolerance));
}

} // namespace divdet
