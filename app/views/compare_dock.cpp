#include "views/compare_dock.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/number_format.h"
#include "views/candidate_row.h"
#include "views/tolerance_box.h"
#include "views/widgets/buttons.h"
#include "views/widgets/icon_view.h"
#include "views/widgets/label.h"
#include "views/widgets/section_head.h"

namespace divdet {
namespace {

QString text(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

QFrame* hairline(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setObjectName(QStringLiteral("hairline"));
    return line;
}

QVBoxLayout* section(QWidget* widget, int side = 12) {
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(side, 6, side, 8);
    column->setSpacing(4);
    return column;
}

} // namespace

CompareDock::CompareDock(Document* document, QWidget* parent)
    : QWidget(parent)
    , m_document(document) {
    setObjectName(QStringLiteral("compareDock"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeReference());
    column->addWidget(hairline(this));
    column->addWidget(makeCandidates());
    column->addWidget(hairline(this));
    m_pairing = makePairing();
    column->addWidget(m_pairing);
    column->addWidget(makeSettings());
    column->addStretch(1);
    connect(document, &Document::resultChanged, this, [this](Side side) {
        if (side == Side::compare) showFiles(), showPairing();
    });
    connect(document, &Document::toleranceChanged, this, [this](Side side) {
        if (side == Side::compare) showFiles(), showSettings();
    });
    connect(document, &Document::fileSettingsChanged, this, &CompareDock::showSettings);
    showFiles();
    showPairing();
    showSettings();
}

QWidget* CompareDock::makeReference() {
    auto* row = new QWidget(this);
    row->setObjectName(QStringLiteral("referenceRow"));
    auto* column = section(row);
    auto* head = new SectionHead(tr("Reference"), row);
    m_swap =
        makeButton(tr("Swap"), ButtonKind::text, row, QStringLiteral("swapButton"), QStringLiteral("swap"));
    m_swap->setToolTip(tr("The current candidate becomes the reference"));
    m_openReference = makeButton(tr("Open…"), ButtonKind::text, row, QStringLiteral("openReferenceButton"),
                                 QStringLiteral("open"));
    head->addWidget(m_swap);
    head->addWidget(m_openReference);
    column->addWidget(head);
    m_referenceName = new ElidedLabel({}, FontStep::body, Token::text1, row);
    m_referenceName->setElideMode(Qt::ElideMiddle);
    m_referenceNote = new Label({}, FontStep::caption, Token::text2, row);
    column->addWidget(m_referenceName);
    column->addWidget(m_referenceNote);
    connect(m_swap, &QPushButton::clicked, this, [this] { m_document->files().swapReference(); });
    connect(m_openReference, &QPushButton::clicked, this, &CompareDock::openReferenceRequested);
    return row;
}

QWidget* CompareDock::makeCandidates() {
    auto* box = new QWidget(this);
    box->setObjectName(QStringLiteral("candidateList"));
    auto* column = section(box, 0);
    column->setSpacing(0);
    auto* head = new SectionHead(tr("Candidates"), box);
    auto* add =
        makeButton(tr("Add…"), ButtonKind::text, box, QStringLiteral("addButton"), QStringLiteral("open"));
    head->addWidget(add);
    head->setContentsMargins(12, 0, 12, 2);
    connect(add, &QPushButton::clicked, this, &CompareDock::addCandidateRequested);
    column->addWidget(head);
    m_noCandidate =
        new Label(tr("No candidate yet. You can add several."), FontStep::body, Token::text2, box);
    m_noCandidate->setWordWrap(true);
    m_noCandidate->setContentsMargins(12, 0, 12, 0);
    column->addWidget(m_noCandidate);
    m_list = new QVBoxLayout;
    m_list->setSpacing(0);
    column->addLayout(m_list);
    return box;
}

QWidget* CompareDock::makePairing() {
    auto* box = new QWidget(this);
    box->setObjectName(QStringLiteral("pairingNotes"));
    auto* column = section(box);
    column->addWidget(new SectionHead(tr("Pairing"), box));
    m_pairingLines = new QVBoxLayout;
    m_pairingLines->setSpacing(4);
    column->addLayout(m_pairingLines);
    return box;
}

QWidget* CompareDock::makeSettings() {
    auto* box = new QWidget(this);
    auto* column = section(box, 0);
    column->setSpacing(6);
    auto* head = new SectionHead(tr("Settings"), box);
    head->setContentsMargins(12, 0, 12, 0);
    column->addWidget(head);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(8);
    row->addWidget(new Label(tr("Preset"), FontStep::body, Token::text2, box));
    m_preset = new QComboBox(box);
    m_preset->setObjectName(QStringLiteral("presetCombo"));
    m_preset->setAccessibleName(tr("Preset"));
    m_preset->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const TolerancePreset& preset : tolerancePresets())
        m_preset->addItem(QStringLiteral("%1   rtol %2  atol %3")
                              .arg(text(preset.id), num::tolerance(preset.rtol), num::tolerance(preset.atol)),
                          text(preset.id));
    m_preset->setPlaceholderText(tr("own values"));
    row->addWidget(m_preset, 1);
    column->addLayout(row);
    auto* checks = new QVBoxLayout;
    checks->setContentsMargins(12, 0, 12, 0);
    checks->setSpacing(6);
    const auto check = [&](const QString& words, const QString& name, const QString& tip) {
        auto* box2 = new QCheckBox(words, box);
        box2->setObjectName(name);
        box2->setToolTip(tip);
        checks->addWidget(box2);
        return box2;
    };
    m_equalNan =
        check(tr("NaN = NaN"), QStringLiteral("equalNanCheck"), tr("Two NaNs in the same place pass"));
    m_squeeze = check(tr("Ignore dims of size 1"), QStringLiteral("squeezeCheck"),
                      tr("Shapes that differ by size-1 dims only are compared"));
    m_ignoreMissing = check(tr("Ignore missing taps"), QStringLiteral("ignoreMissingCheck"),
                            tr("Taps on one side only do not make the verdict incomplete"));
    column->addLayout(checks);
    column->addWidget(hairline(box));
    m_tolerance = new ToleranceBox(m_document, Side::compare, box);
    column->addWidget(m_tolerance);

    connect(m_preset, &QComboBox::activated, this,
            [this](int index) { m_tolerance->takePreset(m_preset->itemData(index).toString()); });
    connect(m_equalNan, &QCheckBox::clicked, this, [this](bool on) {
        ToleranceSettings next = m_document->settings().compare;
        next.tolerance.equalNan = on;
        m_document->setTolerance(Side::compare, next, tr("NaN = NaN"));
    });
    connect(m_squeeze, &QCheckBox::clicked, this, [this](bool on) {
        FileSettings next = m_document->settings().files;
        next.squeeze = on;
        m_document->setFileSettings(next, tr("Ignore dims of size 1"));
    });
    connect(m_ignoreMissing, &QCheckBox::clicked, this, [this](bool on) {
        FileSettings next = m_document->settings().files;
        next.ignoreMissing = on;
        m_document->setFileSettings(next, tr("Ignore missing taps"));
    });
    return box;
}

void CompareDock::showFiles() {
    CompareSide& files = m_document->files();
    const bool any = !files.reference().empty();
    m_referenceName->setFont(any ? monoFont() : divdet::font(FontStep::body));
    m_referenceName->setText(any ? files.referenceName() : tr("No reference yet."));
    m_referenceName->setToken(any ? Token::text1 : Token::text2);
    m_swap->setVisible(files.canCompare());
    m_openReference->setVisible(!files.canCompare());
    const Judged& judged = m_document->judged(Side::compare);
    if (judged.comparison()) {
        const std::size_t taps =
            judged.comparison()->pairs.size() + judged.comparison()->onlyInReference.size();
        const Candidate* current = files.currentCandidate();
        const QString format =
            current && current->result ? text(current->result->referenceFormat) : QString();
        m_referenceNote->setText(num::count(taps) + (taps == 1 ? tr(" tap") : tr(" taps")) +
                                 (format.isEmpty() ? QString() : QStringLiteral(" · ") + format));
    }
    m_referenceNote->setVisible(any && judged.comparison());

    const auto& candidates = files.candidates();
    while (m_rows.size() < static_cast<qsizetype>(candidates.size())) {
        auto* row = new CandidateRow(this);
        const int index = static_cast<int>(m_rows.size());
        connect(row, &CandidateRow::clicked, this, [this, index] { m_document->files().setCurrent(index); });
        connect(row, &CandidateRow::removeRequested, this,
                [this, index] { m_document->files().removeCandidate(index); });
        connect(row, &CandidateRow::compareAgainRequested, this, [this, index] {
            const auto& all = m_document->files().candidates();
            if (index < static_cast<int>(all.size()))
                m_document->files().reload(all[static_cast<std::size_t>(index)].path);
        });
        m_rows << row;
        m_list->addWidget(row);
    }
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        const bool used = i < static_cast<qsizetype>(candidates.size());
        if (used) m_rows[i]->setCandidate(candidates[static_cast<std::size_t>(i)], i == files.current());
        m_rows[i]->setVisible(used);
    }
    m_noCandidate->setVisible(candidates.empty());
}

void CompareDock::showPairing() {
    while (QLayoutItem* item = m_pairingLines->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const Judged& judged = m_document->judged(Side::compare);
    m_pairing->setVisible(judged.comparison() != nullptr);
    if (!judged.comparison()) return;
    const Comparison& comparison = *judged.comparison();
    const auto line = [this](const QString& icon, Token token, const QString& words) {
        auto* row = new QWidget(m_pairing);
        auto* layout = new QHBoxLayout(row);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(8);
        layout->addWidget(new IconView(icon, token, 16, row), 0, Qt::AlignTop);
        auto* label = new Label(words, FontStep::body, Token::text1, row);
        label->setWordWrap(true);
        layout->addWidget(label, 1);
        m_pairingLines->addWidget(row);
    };
    const auto by = [&comparison](PairedBy how) {
        return static_cast<std::uint64_t>(
            std::count_if(comparison.pairs.begin(), comparison.pairs.end(),
                          [how](const TapPair& p) { return p.pairedBy == how; }));
    };
    const auto info = QStringLiteral("info");
    if (const auto n = by(PairedBy::name))
        line(QStringLiteral("within"), Token::withinFg, tr("%1 by the same name").arg(num::count(n)));
    if (const auto n = by(PairedBy::normalised))
        line(info, Token::text2, tr("%1 by name without prefixes").arg(num::count(n)));
    if (const auto n = by(PairedBy::order))
        line(info, Token::text2, tr("%1 by order and shape").arg(num::count(n)));
    for (const std::string& note : comparison.notes) line(info, Token::text2, text(note));
    if (const auto n = comparison.onlyInReference.size())
        line(QStringLiteral("incpl"), Token::incplFg, tr("%1 only in the reference").arg(num::count(n)));
    if (const auto n = comparison.onlyInCandidate.size())
        line(QStringLiteral("incpl"), Token::incplFg, tr("%1 only in the candidate").arg(num::count(n)));
}

void CompareDock::showSettings() {
    const Settings& settings = m_document->settings();
    const TolerancePreset* preset = presetAt(settings.compare.tolerance);
    m_preset->setCurrentIndex(preset ? m_preset->findData(text(preset->id)) : -1);
    m_equalNan->setChecked(settings.compare.tolerance.equalNan);
    m_squeeze->setChecked(settings.files.squeeze);
    m_ignoreMissing->setChecked(settings.files.ignoreMissing);
}

} // namespace divdet
