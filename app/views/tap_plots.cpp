#include "views/tap_plots.h"

#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <algorithm>

#include "gui/number_format.h"
#include "plots/histogram_plot.h"
#include "plots/map_plot.h"
#include "views/plot_area.h"
#include "views/widgets/plot_card.h"

namespace divdet {
namespace {

const QString kHistogram = QStringLiteral("histogram"), kMap = QStringLiteral("map");

QString asSentence(const Error& error) {
    QString words = QString::fromStdString(error.message);
    if (!words.isEmpty()) words[0] = words[0].toUpper();
    words += QLatin1Char('.');
    if (!error.hint.empty()) {
        QString hint = QString::fromStdString(error.hint);
        hint[0] = hint[0].toUpper();
        words += QLatin1Char(' ') + hint + QLatin1Char('.');
    }
    return words;
}

Error notAtHand(const TapPair& pair) {
    return {ErrorCode::notFound, "the elements of this pair are not at hand", pair.name,
            "open the files again"};
}

/// What the work threw, a lack of memory first of all.
Error broken(const QString& message) {
    return {ErrorCode::internal,
            "reading the elements ended with " + message.toStdString(),
            {},
            "free some memory and select the tap again"};
}

std::optional<TensorView> maskOf(const PairData& data) {
    if (!data.mask) return std::nullopt;
    return data.mask->view();
}

} // namespace

TapPlots::TapPlots(Document* document, Selection* selection, Side side, PlotArea* area, QObject* parent)
    : QObject(parent)
    , m_document(document)
    , m_selection(selection)
    , m_side(side)
    , m_area(area)
    , m_histogram(new HistogramPlot(area))
    , m_map(new MapPlot(area))
    , m_ulpJob(this, [this](Counted counted) { takeCounted(std::move(counted)); })
    , m_mapJob(this, [this](Mapped mapped) { takeMap(std::move(mapped)); }) {
    // A request that waited has been started by then, and answers for itself.
    connect(&m_ulpJob, &LatestJobBase::failed, this, [this](const QString& message) {
        if (!m_ulpJob.running() && m_counting) takeCounted({m_counting, broken(message)});
    });
    connect(&m_mapJob, &LatestJobBase::failed, this, [this](const QString& message) {
        if (!m_mapJob.running() && m_mapping) takeMap({*m_mapping, m_shape, broken(message)});
    });
    area->addPlot(kHistogram, tr("Histogram"), m_histogram);
    area->addPlot(kMap, tr("Map"), m_map);
    makeMenus();
    const auto mine = [this](Side changed) {
        if (changed == m_side) refresh();
    };
    connect(document, &Document::resultChanged, this, mine);
    connect(document, &Document::toleranceChanged, this, [this](Side changed) {
        if (changed != m_side) return;
        showMeasures();
        if (m_measure == MapMeasure::bound) showMap();
    });
    connect(selection, &Selection::changed, this, &TapPlots::refresh);
    connect(area, &PlotArea::arrangementChanged, this, &TapPlots::refresh);
    connect(m_map, &MapPlot::elementPicked, this,
            [this](qint64 element) { m_selection->select(m_selection->tap(), element); });
    connect(m_map, &MapPlot::cutStepped, this, &TapPlots::stepCut);
}

void TapPlots::makeMenus() {
    QMenu* histogram = m_area->card(kHistogram)->moreMenu();
    histogram->addSeparator();
    auto* quantity = new QActionGroup(this);
    m_showZ = histogram->addAction(tr("z: error over expected error"));
    m_showUlps = histogram->addAction(tr("Signed error in ulps"));
    for (QAction* action : {m_showZ, m_showUlps}) {
        action->setCheckable(true);
        quantity->addAction(action);
    }
    m_showZ->setChecked(true);
    connect(m_showZ, &QAction::triggered, this, [this] { setUlps(false); });
    connect(m_showUlps, &QAction::triggered, this, [this] { setUlps(true); });
    histogram->addSeparator();
    QAction* log = histogram->addAction(tr("Logarithmic counts"));
    log->setCheckable(true);
    log->setChecked(m_histogram->logCounts());
    connect(log, &QAction::toggled, m_histogram, &HistogramPlot::setLogCounts);

    QMenu* map = m_area->card(kMap)->moreMenu();
    map->addSeparator();
    auto* measures = new QActionGroup(this);
    for (const MapMeasure measure : {MapMeasure::abs, MapMeasure::rel, MapMeasure::bound}) {
        QAction* action = map->addAction(measureText(measure));
        action->setCheckable(true);
        measures->addAction(action);
        m_measures[measure] = action;
        connect(action, &QAction::triggered, this, [this, measure] { setMeasure(measure); });
    }
    showMeasures();
    map->addSeparator();
    QMenu* rows = map->addMenu(tr("Rows"));
    QMenu* columns = map->addMenu(tr("Columns"));
    connect(rows, &QMenu::aboutToShow, this, [this, rows] { fillDims(rows, true); });
    connect(columns, &QMenu::aboutToShow, this, [this, columns] { fillDims(columns, false); });
    QAction* next = map->addAction(tr("Next cut   PgDown"));
    QAction* previous = map->addAction(tr("Previous cut   PgUp"));
    connect(next, &QAction::triggered, this, [this] { stepCut(1); });
    connect(previous, &QAction::triggered, this, [this] { stepCut(-1); });
}

void TapPlots::fillDims(QMenu* menu, bool rows) {
    menu->clear();
    const int now = rows ? m_slice.rowDim : m_slice.columnDim;
    for (std::size_t dim = 0; dim < m_shape.size(); ++dim) {
        const int d = static_cast<int>(dim);
        QAction* action = menu->addAction(
            tr("dim %1 (%2)").arg(d).arg(num::count(static_cast<std::uint64_t>(m_shape[dim]))));
        action->setCheckable(true);
        action->setChecked(d == now);
        connect(action, &QAction::triggered, this, [this, rows, d] {
            // The dim that stands there already goes to the other side.
            const int row = rows ? d : d == m_slice.rowDim ? m_slice.columnDim : m_slice.rowDim;
            const int column = !rows ? d : d == m_slice.columnDim ? m_slice.rowDim : m_slice.columnDim;
            setDims(row, column);
        });
    }
    if (m_shape.empty()) menu->addAction(tr("a scalar has no dims"))->setEnabled(false);
}

const TapPair* TapPlots::pair() const {
    const auto& comparison = m_document->judged(m_side).comparison();
    if (!comparison) return nullptr;
    for (const TapPair& each : comparison->pairs)
        if (QString::fromStdString(each.name) == m_selection->tap()) return &each;
    return nullptr;
}

bool TapPlots::shown(const char* name) const {
    return m_area->isVisible() && m_area->shown().contains(QLatin1String(name));
}

void TapPlots::refresh() {
    showHistogram();
    showMap();
}

void TapPlots::setUlps(bool ulps) {
    m_wantUlps = ulps;
    (ulps ? m_showUlps : m_showZ)->setChecked(true);
    showHistogram();
}

void TapPlots::letGo() {
    const TapPair* now = pair();
    const auto of = now ? now->summary : nullptr;
    if (m_counting && m_counting != of) {
        m_ulpJob.cancel();
        m_counting.reset();
    }
    // Another cut of the same tap is dropped when it comes, so it need not come.
    if (m_mapping && (m_mapping->of != of || !(m_mapping->slice == m_slice))) {
        m_mapJob.cancel();
        m_mapping.reset();
    }
}

void TapPlots::takeCounted(Counted counted) {
    if (counted.of == m_counting) m_counting.reset();
    m_counted = std::move(counted);
    showHistogram();
}

void TapPlots::showHistogram() {
    letGo();
    if (!shown("histogram")) return;
    const TapPair* now = pair();
    const bool pending = m_side == Side::live && m_document->live().classesPending();
    PlotCard* card = m_area->card(kHistogram);
    m_showZ->setEnabled(m_side == Side::live);
    if (!now || !now->summary) {
        m_histogram->setProblem(now && now->problem ? asSentence(*now->problem)
                                                    : tr("Select a tap to see how its errors are spread."));
        card->setSubtitle({});
    } else if (now->zHistogram && !m_wantUlps) {
        card->setSubtitle(tr("%1: error against what theory expects").arg(m_selection->tap()));
        m_histogram->setScene(zScene(*now->zHistogram, now->zRms.value_or(0), now->zLargest.value_or(0)));
        m_histogramTap = m_selection->tap();
    } else if (pending && !m_wantUlps) {
        // What is drawn of this tap stays until its z of the new run is settled.
        if (m_histogramTap != m_selection->tap() || m_histogram->scene().bars.empty())
            m_histogram->setProblem(tr("Each op is being judged on the inputs it read."));
    } else {
        const bool live = m_side == Side::live && !m_wantUlps;
        card->setSubtitle(
            (live ? tr("%1: signed error; theory says nothing of this tap") : tr("%1: signed error in ulps"))
                .arg(m_selection->tap()));
        showUlps(*now);
    }
    m_area->refreshLegends();
}

void TapPlots::showUlps(const TapPair& now) {
    if (m_counted && m_counted->of == now.summary) {
        m_histogramTap = m_selection->tap();
        if (m_counted->spread) return m_histogram->setScene(ulpScene(*m_counted->spread));
        return m_histogram->setProblem(asSentence(m_counted->spread.error()));
    }
    if (!now.load) return m_histogram->setProblem(asSentence(notAtHand(now)));
    if (m_counting == now.summary) return;
    if (m_histogramTap != m_selection->tap()) m_histogram->setProblem(tr("Reading the elements."));
    m_counting = now.summary;
    m_ulpJob.request([load = now.load, of = now.summary](const Progress& progress) -> Counted {
        const auto data = load();
        if (!data) return {of, data.error()};
        return {of, ulpSpread(data->reference.view(), data->candidate.view(), progress, maskOf(*data))};
    });
}

void TapPlots::setMeasure(MapMeasure measure) {
    m_measure = measure;
    showMap();
}

Tolerance TapPlots::tolerance() const {
    const TapPair* now = pair();
    const Tolerance& ofAll = m_document->settings().tolerance(m_side).tolerance;
    return now ? now->own.value_or(ofAll) : ofAll;
}

MapMeasure TapPlots::measure() const {
    // One statistic of the tensor decides: no element has a share. The choice stands until a rule has them.
    const bool shares = !info(tolerance().rule).wholeTensor;
    return m_measure == MapMeasure::bound && !shares ? MapMeasure::abs : m_measure;
}

void TapPlots::showMeasures() {
    const bool shares = !info(tolerance().rule).wholeTensor;
    QAction* bound = m_measures.at(MapMeasure::bound);
    bound->setEnabled(shares);
    bound->setText(shares ? tr("Verdict: share of the tolerance")
                          : tr("Verdict: the rule judges the whole tensor, not its elements"));
    m_measures.at(measure())->setChecked(true);
}

void TapPlots::setDims(int rowDim, int columnDim) {
    m_slice.rowDim = rowDim;
    m_slice.columnDim = columnDim;
    m_slice = sliceThrough(std::move(m_slice), m_shape, m_sliceElement);
    showMap();
}

void TapPlots::stepCut(int direction) {
    for (std::size_t dim = m_shape.size(); dim-- > 0;) {
        if (static_cast<int>(dim) == m_slice.rowDim || static_cast<int>(dim) == m_slice.columnDim) continue;
        // The last dim moves first and carries into the one before it, as in the file.
        std::int64_t& at = m_slice.at[dim];
        at += direction;
        if (at >= 0 && at < m_shape[dim]) break;
        at = direction > 0 ? 0 : m_shape[dim] - 1;
    }
    showMap();
}

void TapPlots::followSelection(const TapPair& now) {
    // Without a choice the place of the largest error is what is looked for.
    const qint64 element = m_selection->element() >= 0 ? m_selection->element() : now.summary->maxAbs.index;
    m_map->setSelected(element);
    if (m_sliceTap != m_selection->tap() || m_shape != now.referenceShape) {
        const bool sameDims = m_shape.size() == now.referenceShape.size();
        m_sliceTap = m_selection->tap();
        m_shape = now.referenceShape;
        m_sliceElement = element;
        m_slice = sameDims && !m_slice.at.empty() ? MapSlice{m_slice.rowDim, m_slice.columnDim,
                                                             std::vector<std::int64_t>(m_shape.size(), 0)}
                                                  : defaultSlice(m_shape);
        m_slice = sliceThrough(std::move(m_slice), m_shape, element);
    } else if (element != m_sliceElement) {
        m_sliceElement = element;
        m_slice = sliceThrough(std::move(m_slice), m_shape, element);
    }
}

void TapPlots::showMap() {
    showMeasures();
    letGo();
    if (!shown("map")) return;
    const TapPair* now = pair();
    PlotCard* card = m_area->card(kMap);
    if (!now || !now->summary || !now->load) {
        m_mapped.reset();
        m_map->setProblem(now && now->problem   ? asSentence(*now->problem)
                          : now && now->summary ? asSentence(notAtHand(*now))
                                                : tr("Select a tap to see where its errors lie."));
        return card->setSubtitle({});
    }
    followSelection(*now);
    letGo();
    card->setSubtitle(QStringList{m_selection->tap(), measureText(measure()), sliceText(m_slice)}.join(
        QStringLiteral(" · ")));
    MapKey key{now->summary, m_slice, measure(), {}};
    if (key.measure == MapMeasure::bound) key.tolerance = tolerance();
    if (m_mapping == key) return;
    if (m_mapped == key) { // what is being made would take its place
        m_mapJob.cancel();
        return m_mapping.reset();
    }
    m_mapping = key;
    m_mapJob.request(
        [load = now->load, key, shape = now->referenceShape](const Progress& progress) -> Mapped {
            constexpr int kMostCells = 512;
            const auto data = load();
            if (!data) return {key, shape, data.error()};
            auto map = errorMap(data->reference.view(), data->candidate.view(), key.slice, key.measure,
                                key.tolerance, kMostCells, progress, maskOf(*data));
            if (!map) return {key, shape, map.error()};
            return {key, shape, std::make_shared<const ErrorMap>(std::move(*map))};
        });
}

void TapPlots::takeMap(Mapped mapped) {
    if (m_mapping == mapped.key) m_mapping.reset();
    // Of another place it would stand under the wrong title; of another tolerance it is shown, as a slider is
    // held.
    if (m_mapping && (m_mapping->of != mapped.key.of || !(m_mapping->slice == mapped.key.slice))) return;
    m_mapped = mapped.key;
    if (mapped.map)
        m_map->setMap(*mapped.map, mapped.shape);
    else
        m_map->setProblem(asSentence(mapped.map.error()));
    m_area->refreshLegends();
}

void TapPlots::showPlace() {
    m_area->bring(kMap, false);
    refresh();
}

} // namespace divdet
