#include "views/determinism_form.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "models/determinism_table.h"
#include "session/lists.h"
#include "views/block_box.h"
#include "views/widgets/buttons.h"
#include "views/widgets/label.h"
#include "views/widgets/section_head.h"

namespace divdet {
namespace {

constexpr int kMostRuns = 100'000, kMostPairs = 1000;

} // namespace

DeterminismForm::DeterminismForm(Document* document, QWidget* parent)
    : QWidget(parent)
    , m_document(document) {
    setObjectName(QStringLiteral("determinismForm"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 12);
    column->setSpacing(6);
    column->addWidget(new SectionHead(tr("Block"), this));
    m_block = new Label({}, FontStep::body, Token::text1, this);
    m_block->setWordWrap(true);
    column->addWidget(m_block);
    m_passes = new QCheckBox(tr("With the passes of the live page"), this);
    m_passes->setObjectName(QStringLiteral("determinismPasses"));
    column->addWidget(m_passes);
    auto* live = makeButton(tr("Change it on the live page"), ButtonKind::text, this,
                            QStringLiteral("determinismLivePage"), QStringLiteral("live"));
    connect(live, &QPushButton::clicked, this, &DeterminismForm::livePageRequested);
    column->addWidget(live, 0, Qt::AlignLeft);
    column->addSpacing(8);
    column->addWidget(new SectionHead(tr("Sources of variation"), this));
    for (const Variation source : kVariations) {
        const std::string_view id = name(source);
        const QString word = QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
        auto* box = new QCheckBox(word, this);
        box->setObjectName(QStringLiteral("determinismSource_") + word);
        box->setToolTip(meaningOf(source));
        m_sources << box;
        column->addWidget(box);
    }
    m_error = new Label(tr("Choose one source at least."), FontStep::caption, Token::outsideFg, this);
    m_error->hide();
    column->addWidget(m_error);
    column->addSpacing(8);
    column->addWidget(new SectionHead(tr("How often"), this));
    auto* grid = new QGridLayout;
    grid->setColumnStretch(1, 1);
    const auto addSpin = [&](const QString& word, const QString& objectName, int most, const QString& none,
                             const QString& tip) {
        auto* spin = new QSpinBox(this);
        spin->setObjectName(objectName);
        spin->setAccessibleName(word);
        spin->setRange(0, most);
        spin->setSpecialValueText(none);
        spin->setKeyboardTracking(false);
        spin->setToolTip(tip);
        const int row = grid->rowCount();
        auto* label = new Label(word, FontStep::body, Token::text2, this);
        label->setBuddy(spin);
        grid->addWidget(label, row, 0);
        grid->addWidget(spin, row, 1);
        return spin;
    };
    m_runs = addSpin(tr("Runs"), QStringLiteral("determinismRuns"), kMostRuns, tr("as suits the block"),
                     tr("Of the race, and again with the switch on"));
    m_pairs = addSpin(tr("Timed pairs"), QStringLiteral("determinismPairs"), kMostPairs, tr("do not time"),
                      tr("Runs with the switch off and on, by turns, for its cost"));
    column->addLayout(grid);
    column->addStretch(1);
    for (QCheckBox* box : m_sources + QList<QCheckBox*>{m_passes})
        connect(box, &QCheckBox::clicked, this, &DeterminismForm::takeAll);
    for (QSpinBox* spin : {m_runs, m_pairs})
        connect(spin, &QSpinBox::valueChanged, this, &DeterminismForm::takeAll);
    connect(document, &Document::runSettingsChanged, this, &DeterminismForm::showBlock);
    connect(&document->determinism(), &DeterminismSide::questionChanged, this,
            &DeterminismForm::showQuestion);
    showBlock();
    showQuestion();
}

void DeterminismForm::takeAll() {
    if (m_showing) return;
    DeterminismSide::Question q;
    q.sources.clear();
    for (qsizetype i = 0; i < m_sources.size(); ++i)
        if (m_sources[i]->isChecked()) q.sources.push_back(kVariations[i]);
    m_error->setVisible(q.sources.empty());
    if (q.sources.empty()) return;
    q.runs = m_runs->value();
    q.pairs = m_pairs->value();
    q.withPasses = m_passes->isChecked();
    m_document->determinism().setQuestion(q);
}

void DeterminismForm::showBlock() {
    const RunSettings& run = m_document->settings().run;
    for (const BlockInfo& block : listBlocks())
        if (block.id == run.block) m_block->setText(blockSummary(run, block));
}

void DeterminismForm::showQuestion() {
    m_showing = true;
    const DeterminismSide::Question& q = m_document->determinism().question();
    for (qsizetype i = 0; i < m_sources.size(); ++i)
        m_sources[i]->setChecked(std::find(q.sources.begin(), q.sources.end(), kVariations[i]) !=
                                 q.sources.end());
    m_runs->setValue(q.runs);
    m_pairs->setValue(q.pairs);
    m_passes->setChecked(q.withPasses);
    m_showing = false;
}

} // namespace divdet
