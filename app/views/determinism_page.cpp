#include "views/determinism_page.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>

#include "gui/number_format.h"
#include "gui/theme.h"
#include "models/determinism_table.h"
#include "models/sparkline_delegate.h"
#include "session/determinism/lab_command_line.h"
#include "views/determinism_form.h"
#include "views/widgets/buttons.h"
#include "views/widgets/card.h"
#include "views/widgets/cost_bars.h"
#include "views/widgets/label.h"

namespace divdet {
namespace {

QString text(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

} // namespace

DeterminismPage::DeterminismPage(Document* document, QWidget* parent)
    : ToolPage(QStringLiteral("determinism"), new DeterminismForm(document), parent)
    , m_document(document) {
    connect(static_cast<DeterminismForm*>(form()), &DeterminismForm::livePageRequested, this,
            &DeterminismPage::livePageRequested);
    DeterminismSide& side = document->determinism();
    connect(this, &DeterminismPage::cancelRequested, &side, &DeterminismSide::cancel);
    cards()->addWidget(makeAnswer());
    cards()->addWidget(makeTable(), 1);
    cards()->addWidget(makeCost());
    connect(&side, &DeterminismSide::resultChanged, this, &DeterminismPage::showAll);
    connect(&side, &DeterminismSide::runningChanged, this, &DeterminismPage::showAll);
    connect(&side, &DeterminismSide::progressed, this,
            [this](quint64 done, quint64 total, const QString& what) {
                setProgress(done, total);
                setWhat(total > 0 ? tr("%1: %2 of %3").arg(what, num::count(done), num::count(total)) : what);
            });
    connect(document, &Document::runSettingsChanged, this, &DeterminismPage::showAll);
    connect(&Theme::current(), &Theme::changed, this, [this] {
        m_shown.reset(); // colours are in the table
        showAll();
    });
    showAll();
}

QWidget* DeterminismPage::makeAnswer() {
    const Card card = makeCard(tr("Same bits again?"), this);
    card.head->addStretch(1);
    m_word = new Label({}, FontStep::card, Token::text1, card.frame);
    m_word->setObjectName(QStringLiteral("determinismWord"));
    card.head->addWidget(m_word);
    m_text = new Label({}, FontStep::body, Token::text2, card.frame);
    m_text->setObjectName(QStringLiteral("determinismText"));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    card.column->addWidget(m_text);
    return card.frame;
}

QWidget* DeterminismPage::makeTable() {
    const Card card = makeCard(tr("Where it may vary"), this);
    card.head->addStretch(1);
    m_model = new QStandardItemModel(this);
    m_table = new QTreeView(card.frame);
    m_table->setObjectName(QStringLiteral("determinismTable"));
    m_table->setAccessibleName(tr("Sources of variation"));
    m_table->setModel(m_model);
    m_table->setUniformRowHeights(true);
    m_table->setAlternatingRowColors(true);
    m_table->setItemDelegate(new SparklineDelegate(m_table));
    m_table->header()->setHighlightSections(false);
    card.column->addWidget(m_table, 1);
    m_detail = new Label({}, FontStep::body, Token::text2, card.frame);
    m_detail->setObjectName(QStringLiteral("determinismDetail"));
    m_detail->setWordWrap(true);
    m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
    card.column->addWidget(m_detail);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this,
            &DeterminismPage::showDetail);
    return card.frame;
}

QWidget* DeterminismPage::makeCost() {
    const Card card = makeCard(tr("What the switch costs"), this);
    m_costCard = card.frame;
    card.head->addStretch(1);
    m_cost = new Label({}, FontStep::body, Token::text1, card.frame);
    m_cost->setObjectName(QStringLiteral("determinismCost"));
    m_cost->setWordWrap(true);
    card.column->addWidget(m_cost);
    m_bars = new CostBars(card.frame);
    card.column->addWidget(m_bars);
    m_quoted = new Label(
        tr("On a CPU an atomic addition of floats is a loop of compare and swap, on a GPU an instruction: "
           "the price there is another. Quoted, not measured here: %1 to %2 % slower is what is said of "
           "GPUs.")
            .arg(100 * kQuotedCostLow)
            .arg(100 * kQuotedCostHigh),
        FontStep::caption, Token::text3, card.frame);
    m_quoted->setWordWrap(true);
    card.column->addWidget(m_quoted);
    return card.frame;
}

void DeterminismPage::showAll() {
    const DeterminismSide& side = m_document->determinism();
    const LabResult* result = side.result().get();
    setRunning(side.running());
    if (!side.running()) setWhat(subject());
    const auto varies = result ? result->varies() : std::nullopt;
    if (side.error()) {
        m_word->setText(tr("FAILED"));
        m_word->setToken(Token::inconFg);
        m_text->setText(text(side.error()->text()));
    } else if (!result || !result->complete) {
        m_word->setText(side.running() ? tr("RUNNING") : side.stopped() ? tr("STOPPED") : QString());
        m_word->setToken(Token::text2);
        m_text->setText(
            side.running()
                ? tr("The table grows as sources are measured.")
                : tr("Press Measure: the block runs many times on the same input, with threads that "
                     "really race where sums are atomic, and again with the switch on. The runs are "
                     "held against each other bit for bit."));
    } else if (!varies) {
        m_word->setText(tr("NO ANSWER"));
        m_word->setToken(Token::inconFg);
        m_text->setText(tr("No source that could differ from run to run was measured."));
    } else {
        m_word->setText(*varies ? tr("VARIES") : tr("SAME BITS"));
        m_word->setToken(*varies ? Token::outsideFg : Token::withinFg);
        QStringList words;
        for (const std::string& note : result->notes) words << text(note);
        words.prepend(*varies ? tr("Some run had other bits than another one with the same settings.")
                              : tr("No run had other bits than another one with the same settings."));
        words << tr("%1 · %2").arg(text(result->deviceTitle), num::seconds(result->seconds));
        m_text->setText(words.join(QLatin1Char('\n')));
    }
    showCost(result);
    if (side.result() == m_shown && m_model->rowCount() > 0) return;
    m_shown = side.result();
    if (!result) return m_model->clear();
    determinism_table::fill(*m_model, *result);
    QHeaderView* header = m_table->header();
    const int widths[] = {230, 90, 150, 70, 90, 80};
    for (int i = 0; i < 6; ++i) header->resizeSection(i, widths[i]);
    header->setStretchLastSection(true);
    m_table->expandAll();
    m_table->setCurrentIndex(m_model->index(0, 0));
    showDetail();
}

/// What was seen is longer than its column.
void DeterminismPage::showDetail() {
    QModelIndex at = m_table->currentIndex();
    if (at.parent().isValid() && at.siblingAtColumn(determinism_table::Remark).data().toString().isEmpty())
        at = at.parent();
    const QString remark = at.siblingAtColumn(determinism_table::Remark).data().toString();
    m_detail->setText(remark.isEmpty()
                          ? QString()
                          : at.siblingAtColumn(0).data().toString() + QStringLiteral(": ") + remark);
    m_detail->setVisible(!remark.isEmpty());
}

void DeterminismPage::showCost(const LabResult* result) {
    m_costCard->setVisible(result && (result->cost || !result->costNotMeasured.empty()));
    if (!result) return;
    m_bars->setCost(result->cost);
    if (!result->cost) {
        m_cost->setText(tr("Not measured: %1").arg(text(result->costNotMeasured)));
        return;
    }
    const SwitchCost& c = *result->cost;
    m_cost->setText(tr("on/off %1 (quartiles %2 to %3): %4, on %5")
                        .arg(c.ratio.median, 0, 'f', 2)
                        .arg(c.ratio.low, 0, 'f', 2)
                        .arg(c.ratio.high, 0, 'f', 2)
                        .arg(c.verdict == CostVerdict::within
                                 ? tr("no cost can be told from noise")
                                 : tr("%1 with the switch on").arg(text(name(c.verdict))),
                             text(result->deviceTitle)));
}

QString DeterminismPage::subject() const {
    return tr("Determinism of %1").arg(text(m_document->settings().run.block));
}

QString DeterminismPage::commandLine() const {
    const Settings& s = m_document->settings();
    return text(divdet::commandLine(m_document->determinism().request(s.run.request(s.live.tolerance))));
}

} // namespace divdet
