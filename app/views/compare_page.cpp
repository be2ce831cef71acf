#include "views/compare_page.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "gui/number_format.h"
#include "gui/theme.h"
#include "views/compare_dock.h"
#include "views/plot_area.h"
#include "views/start_page.h"
#include "views/tap_plots.h"
#include "views/taps_pane.h"
#include "views/widgets/buttons.h"
#include "views/widgets/label.h"
#include "views/widgets/tap_matrix.h"

namespace divdet {
namespace {
constexpr int kCardFrame = 66; ///< px of the matrix card around the matrix: margins and head
constexpr int kPlotsShare = 2; ///< of the height below the matrix: one part in these
} // namespace

ComparePage::ComparePage(Document* document, Selection* selection, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection) {
    setObjectName(QStringLiteral("comparePage"));
    m_dock = new CompareDock(document);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_dock);
    m_controls = scroll;
    connect(m_dock, &CompareDock::openReferenceRequested, this, &ComparePage::openReferenceRequested);
    connect(m_dock, &CompareDock::addCandidateRequested, this, &ComparePage::addCandidateRequested);

    m_start = new StartPage(this);
    connect(m_start, &StartPage::dropped, this, &ComparePage::filesDropped);
    connect(m_start, &StartPage::browseRequested, this, &ComparePage::openRequested);
    connect(m_start, &StartPage::livePageRequested, this, &ComparePage::livePageRequested);

    auto* work = new QWidget(this);
    auto* column = new QVBoxLayout(work);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeProgress());
    m_split = new QSplitter(Qt::Vertical, work);
    QSplitter* split = m_split;
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    m_taps = new TapsPane(document, selection, Side::compare, split);
    split->addWidget(makeMatrix());
    split->addWidget(makePlots());
    split->addWidget(m_taps);
    split->setStretchFactor(0, 0);
    split->setStretchFactor(1, 1);
    split->setStretchFactor(2, 1);
    column->addWidget(split, 1);

    m_stack = new QStackedLayout(this);
    m_stack->addWidget(m_start);
    m_stack->addWidget(work);

    connect(document, &Document::resultChanged, this, [this](Side side) {
        if (side == Side::compare) showResult();
    });
    connect(document, &Document::toleranceChanged, this, [this](Side side) {
        if (side == Side::compare) showMatrix();
    });
    connect(document, &Document::countsChanged, this, [this](Side side) {
        if (side == Side::compare) showMatrix();
    });
    connect(document, &Document::busyChanged, this, &ComparePage::showProgress);
    connect(selection, &Selection::changed, this, &ComparePage::showSelection);
    showResult();
}

QWidget* ComparePage::makeProgress() {
    m_progress = new QWidget(this);
    m_progress->setObjectName(QStringLiteral("progressStrip"));
    m_progress->setFixedHeight(38);
    auto* row = new QHBoxLayout(m_progress);
    row->setContentsMargins(14, 4, 8, 4);
    row->setSpacing(12);
    m_progressWhat = new Label({}, FontStep::body, Token::text1, m_progress);
    m_bar = new QProgressBar(m_progress);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(180);
    m_progressCount = new Label({}, FontStep::body, Token::text2, m_progress);
    auto* cancel = makeButton(tr("Cancel   Esc"), ButtonKind::quiet, m_progress,
                              QStringLiteral("cancelButton"), QStringLiteral("close"));
    connect(cancel, &QPushButton::clicked, this, [this] { m_document->cancel(); });
    row->addWidget(m_progressWhat);
    row->addWidget(m_bar);
    row->addWidget(m_progressCount);
    row->addStretch(1);
    row->addWidget(cancel);
    return m_progress;
}

QWidget* ComparePage::makeMatrix() {
    auto* holder = new QWidget(this);
    auto* outer = new QVBoxLayout(holder);
    outer->setContentsMargins(8, 8, 8, 8);
    auto* card = new QFrame(holder);
    card->setObjectName(QStringLiteral("card"));
    outer->addWidget(card);
    auto* column = new QVBoxLayout(card);
    column->setContentsMargins(10, 6, 6, 6);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->setSpacing(6);
    head->addWidget(new Label(tr("Candidates × taps"), FontStep::card, Token::text1, card));
    head->addWidget(
        new ElidedLabel(tr("one column per tap, in depth order"), FontStep::body, Token::text2, card), 1);
    m_colourBy = new Label(tr("Colour by"), FontStep::body, Token::text2, card);
    head->addWidget(m_colourBy);
    m_byError = makeButton(tr("Relative error"), ButtonKind::toggle, card, QStringLiteral("colourByError"));
    m_byVerdict = makeButton(tr("Verdict"), ButtonKind::toggle, card, QStringLiteral("colourByVerdict"));
    head->addWidget(m_byError);
    head->addWidget(m_byVerdict);
    m_histogramButton =
        makeButton(tr("Histogram"), ButtonKind::toggle, card, QStringLiteral("compareHistogramButton"));
    m_histogramButton->setToolTip(tr("How the errors of the selected tap are spread"));
    m_mapButton = makeButton(tr("Map"), ButtonKind::toggle, card, QStringLiteral("compareMapButton"));
    m_mapButton->setToolTip(tr("Where the errors of the selected tap lie"));
    for (QPushButton* button : {m_histogramButton, m_mapButton}) head->addWidget(button);
    m_command = makeButton(tr("Command line"), ButtonKind::toggle, card,
                           QStringLiteral("compareCommandLineButton"), QStringLiteral("term"));
    m_command->setCheckable(false);
    m_command->setToolTip(tr("Copy the divdet command that makes the same comparison"));
    connect(m_command, &QPushButton::clicked, this, &ComparePage::commandLineRequested);
    head->addWidget(m_command);
    column->addLayout(head);
    m_matrix = new TapMatrix(card);
    m_matrix->setObjectName(QStringLiteral("tapMatrix"));
    m_matrix->setAccessibleName(tr("Candidates and taps"));
    column->addWidget(m_matrix, 1);
    const auto colourBy = [this](TapMatrix::ColourBy by) {
        m_matrix->setColourBy(by);
        m_byError->setChecked(by == TapMatrix::ColourBy::relativeError);
        m_byVerdict->setChecked(by == TapMatrix::ColourBy::verdict);
    };
    connect(m_byError, &QPushButton::clicked, this,
            [colourBy] { colourBy(TapMatrix::ColourBy::relativeError); });
    connect(m_byVerdict, &QPushButton::clicked, this, [colourBy] { colourBy(TapMatrix::ColourBy::verdict); });
    colourBy(TapMatrix::ColourBy::relativeError);
    connect(m_matrix, &TapMatrix::currentChanged, this, [this](int row, int tap) {
        if (row < 0 || row >= static_cast<int>(m_rowCandidates.size())) return;
        m_document->files().setCurrent(m_rowCandidates[static_cast<std::size_t>(row)]);
        const Judged& judged = m_document->judged(Side::compare);
        if (tap >= 0 && judged.comparison() &&
            static_cast<std::size_t>(tap) < judged.comparison()->pairs.size())
            m_selection->select(
                QString::fromStdString(judged.comparison()->pairs[static_cast<std::size_t>(tap)].name));
    });
    return holder;
}

QWidget* ComparePage::makePlots() {
    m_plotPane = new QWidget(this);
    auto* column = new QVBoxLayout(m_plotPane);
    column->setContentsMargins(8, 0, 8, 8);
    m_plots = new PlotArea(m_plotPane);
    m_tapPlots = new TapPlots(m_document, m_selection, Side::compare, m_plots, this);
    column->addWidget(m_plots);
    m_plotPane->hide();
    const auto toggled = [this](const QString& name, bool on) {
        QStringList names = m_plotPane->isHidden() ? QStringList() : m_plots->shown();
        names.removeAll(name);
        if (on) names << name;
        // Where there is room for one, the new one takes it.
        showPlots(names.mid(std::max<qsizetype>(0, names.size() - m_plots->room())));
    };
    const QString histogram = QStringLiteral("histogram"), map = QStringLiteral("map");
    connect(m_histogramButton, &QPushButton::clicked, this,
            [toggled, histogram](bool on) { toggled(histogram, on); });
    connect(m_mapButton, &QPushButton::clicked, this, [toggled, map](bool on) { toggled(map, on); });
    connect(m_plots, &PlotArea::arrangementChanged, this, &ComparePage::showPlotButtons);
    return m_plotPane;
}

void ComparePage::showPlots(const QStringList& names) {
    const bool before = !m_plotPane->isHidden();
    m_plotPane->setVisible(!names.isEmpty());
    if (!names.isEmpty()) m_plots->showPlots(names);
    if (!before && !names.isEmpty()) {
        const int matrix = m_split->sizes().value(0);
        const int rest = std::max(0, m_split->height() - matrix);
        m_split->setSizes({matrix, rest / kPlotsShare, rest - rest / kPlotsShare});
    }
    showPlotButtons();
    m_tapPlots->refresh();
}

void ComparePage::showPlotButtons() {
    const QStringList shown = m_plotPane->isHidden() ? QStringList() : m_plots->shown();
    m_histogramButton->setChecked(shown.contains(QStringLiteral("histogram")));
    m_mapButton->setChecked(shown.contains(QStringLiteral("map")));
}

void ComparePage::showPlace() {
    if (m_plotPane->isHidden()) return showPlots({QStringLiteral("map")});
    m_tapPlots->showPlace();
}

void ComparePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_tapPlots->refresh();
}

void ComparePage::showResult() {
    const CompareSide& files = m_document->files();
    m_start->setReference(files.referenceName());
    m_stack->setCurrentIndex(files.canCompare() ? 1 : 0);
    const Judged& judged = m_document->judged(Side::compare);
    if (judged.waiting() == 0 && judged.judgement() && m_selection->tap().isEmpty() &&
        judged.judgement()->worstTap >= 0) {
        const auto worst = static_cast<std::size_t>(judged.judgement()->worstTap);
        m_selection->reset(QString::fromStdString(judged.comparison()->pairs[worst].name));
    }
    showMatrix();
    showProgress();
}

void ComparePage::showMatrix() {
    std::vector<TapMatrix::Row> rows;
    m_rowCandidates.clear();
    const auto& candidates = m_document->files().candidates();
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        // The list at the left says why a file cannot be read; here it would look like one still to come.
        if (candidates[i].state == Candidate::State::failed) continue;
        m_rowCandidates.push_back(static_cast<int>(i));
        rows.push_back(
            {candidates[i].name(), candidates[i].judged.comparison(), candidates[i].judged.judgement()});
    }
    // The card is as high as its rows; a user's own split stays until their number changes.
    const bool grown = std::exchange(m_matrixRows, rows.size()) != rows.size();
    m_matrix->setRows(std::move(rows));
    if (grown) {
        const int card = m_matrix->sizeHint().height() + kCardFrame;
        const int rest = std::max(m_split->height() - card, 200);
        const int plots = m_plotPane->isHidden() ? 0 : rest / kPlotsShare;
        m_split->setSizes({card, plots, rest - plots});
    }
    showSelection();
}

void ComparePage::showSelection() {
    const Judged& judged = m_document->judged(Side::compare);
    int tap = -1;
    if (judged.comparison())
        for (std::size_t i = 0; i < judged.comparison()->pairs.size(); ++i)
            if (QString::fromStdString(judged.comparison()->pairs[i].name) == m_selection->tap())
                tap = static_cast<int>(i);
    const auto row = std::find(m_rowCandidates.begin(), m_rowCandidates.end(), m_document->files().current());
    m_matrix->setCurrent(row == m_rowCandidates.end() ? -1 : static_cast<int>(row - m_rowCandidates.begin()),
                         tap);
}

void ComparePage::showProgress() {
    const CompareSide& files = m_document->files();
    m_progress->setVisible(files.running());
    if (!files.running()) return;
    const auto index = static_cast<std::size_t>(files.runningIndex());
    const Candidate& candidate = files.candidates()[index];
    m_progressWhat->setText(tr("Comparing %1").arg(candidate.name()));
    m_bar->setRange(0, static_cast<int>(candidate.total));
    m_bar->setValue(static_cast<int>(candidate.done));
    const QString place = tr("candidate %1 of %2").arg(index + 1).arg(files.candidates().size());
    m_progressCount->setText(
        candidate.total == 0
            ? place
            : tr("tap %1 of %2, %3").arg(num::count(candidate.done), num::count(candidate.total), place));
}

void ComparePage::setNarrow(bool narrow) {
    m_command->setText(narrow ? QString() : tr("Command line"));
    m_command->setAccessibleName(tr("Command line"));
    m_colourBy->setVisible(!narrow);
    m_byError->setText(narrow ? tr("Error") : tr("Relative error"));
    for (QPushButton* button : {m_byError, m_byVerdict, m_histogramButton, m_mapButton})
        setStyleProperty(button, "tight", narrow);
}

QString ComparePage::commandLine() const {
    const Candidate* candidate = m_document->files().currentCandidate();
    if (!candidate || !m_document->files().canCompare()) return {};
    CompareRequest request;
    request.reference = m_document->files().reference();
    request.candidate = candidate->path;
    request.shapes.squeeze = m_document->settings().files.squeeze;
    request.ignoreMissing = m_document->settings().files.ignoreMissing;
    return QString::fromStdString(divdet::commandLine(request, m_document->settings().compare.tolerance));
}

} // namespace divdet
