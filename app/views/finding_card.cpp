#include "views/finding_card.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/number_format.h"
#include "gui/theme.h"
#include "views/widgets/buttons.h"
#include "views/widgets/chip.h"
#include "views/widgets/flow_layout.h"
#include "views/widgets/icon_view.h"
#include "views/widgets/label.h"

namespace divdet {
namespace {

constexpr qreal kRadius = 6, kBand = 4;
constexpr qsizetype kLongValue = 22; ///< characters; longer ones stand below their label

Token bandOf(ClassTone tone) {
    return tone == ClassTone::none ? Token::text3 : classLook(tone).fg;
}

/// Numbers are marked with the mouse, sentences from the keyboard too; a Tab stop for each number would be
/// many.
void makeSelectable(Label* label, bool byKeyboard) {
    label->setTextInteractionFlags(byKeyboard ? Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard
                                              : Qt::TextInteractionFlags(Qt::TextSelectableByMouse));
}

} // namespace

FindingCard::FindingCard(QWidget* parent)
    : QFrame(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 8, 10, 10);
    column->setSpacing(4);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    m_icon = new IconView(QStringLiteral("info"), Token::text3, 16, this);
    m_title = new Label({}, FontStep::card, Token::text1, this);
    m_title->setWordWrap(true);
    head->addWidget(m_icon, 0, Qt::AlignTop);
    head->addWidget(m_title, 1);
    column->addLayout(head);
    m_text = new Label({}, FontStep::body, Token::text2, this);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    makeSelectable(m_text, true);
    column->addWidget(m_text);

    auto* where = new QHBoxLayout;
    where->setSpacing(8);
    m_where = new Chip({}, this);
    m_where->setClickable(true);
    m_where->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_id = new Label({}, FontStep::caption, Token::text3, this);
    m_id->setToolTip(tr("The id of this cause, as divdet writes it"));
    makeSelectable(m_id, false);
    where->addWidget(m_where);
    where->addStretch(1);
    where->addWidget(m_id);
    column->addLayout(where);

    m_more = makeButton({}, ButtonKind::text, this);
    m_more->setCheckable(true);
    auto* more = new QHBoxLayout;
    more->setContentsMargins(-7, 0, 0, 0); // its arrow stands under the words, not its frame
    more->addWidget(m_more);
    more->addStretch(1);
    column->addLayout(more);
    m_evidence = new QWidget(this);
    auto* grid = new QGridLayout(m_evidence);
    grid->setContentsMargins(0, 0, 0, 2);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(0, 1);
    column->addWidget(m_evidence);

    auto* buttons = new QWidget(this);
    auto* row = new FlowLayout(buttons, 8, 4);
    m_show = makeButton({}, ButtonKind::standard, buttons, QStringLiteral("showPlaceButton"));
    m_hunt = makeButton(tr("Hunt the pass"), ButtonKind::standard, buttons,
                        QStringLiteral("huntFindingButton"), QStringLiteral("hunt"));
    m_hunt->setToolTip(tr("Finds which of the passes that are on makes the judge say this"));
    m_copy =
        makeButton(tr("Copy evidence"), ButtonKind::quiet, buttons, QStringLiteral("copyEvidenceButton"));
    m_copy->setToolTip(tr("Copy cause, sentence and all numbers as Markdown"));
    row->addWidget(m_show);
    row->addWidget(m_hunt);
    row->addWidget(m_copy);
    column->addWidget(buttons);

    connect(m_more, &QPushButton::toggled, this, &FindingCard::showEvidence);
    connect(m_where, &Chip::clicked, this, [this] { emit placeRequested(m_finding.tap, -1); });
    // The receiver may refill this card.
    connect(m_show, &QPushButton::clicked, this, [this] {
        const FindingView to = m_finding;
        emit placeRequested(to.tap, to.element);
    });
    connect(m_hunt, &QPushButton::clicked, this, [this] {
        const QString id = m_finding.id;
        emit huntRequested(id);
    });
    connect(m_copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(m_finding.markdown); });
    showEvidence(false);
}

void FindingCard::setFinding(const FindingView& finding) {
    const bool another = finding.id != m_finding.id || finding.tap != m_finding.tap;
    m_finding = finding;
    setObjectName(QStringLiteral("findingCard_") + finding.id);
    setAccessibleName(finding.title);
    setAccessibleDescription(finding.sentence);
    m_icon->setIcon(finding.icon, bandOf(finding.tone));
    m_title->setText(finding.title);
    m_text->setText(finding.sentence);
    m_where->setLook(ChipLook::plain(finding.tap));
    m_where->setToolTip(tr("Select %1").arg(finding.tap));
    m_id->setText(finding.id);
    m_show->setText(finding.button);
    m_show->setVisible(!finding.button.isEmpty());
    m_hunt->setVisible(finding.canHunt);
    m_copy->setVisible(!finding.markdown.isEmpty());
    fillEvidence();
    if (another) m_more->setChecked(false);
    showEvidence(m_more->isChecked());
    update();
}

void FindingCard::fillEvidence() {
    auto* grid = static_cast<QGridLayout*>(m_evidence->layout());
    while (QLayoutItem* item = grid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int row = 0;
    for (const auto& [label, value] : m_finding.evidence) {
        auto* name = new Label(label, FontStep::caption, Token::text2, m_evidence);
        auto* number = new Label(value, FontStep::caption, Token::text1, m_evidence);
        number->setFont(monoFont(FontStep::caption));
        number->setTextFormat(Qt::PlainText);
        number->setAccessibleName(label + QLatin1Char(' ') + value);
        makeSelectable(number, false);
        if (value.size() <= kLongValue) {
            grid->addWidget(name, row, 0);
            grid->addWidget(number, row++, 1, Qt::AlignRight);
            continue;
        }
        number->setFont(divdet::font(FontStep::caption));
        number->setWordWrap(true);
        grid->addWidget(name, row++, 0, 1, 2);
        grid->addWidget(number, row++, 0, 1, 2);
    }
}

void FindingCard::showEvidence(bool open) {
    const auto numbers = m_finding.evidence.size();
    m_more->setText(tr("Evidence (%1)").arg(numbers));
    m_more->setAccessibleDescription(open ? tr("open") : tr("shut"));
    setButtonIcon(m_more, open ? QStringLiteral("down") : QStringLiteral("right"));
    m_more->setVisible(numbers > 0);
    m_evidence->setVisible(open && numbers > 0);
}

void FindingCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath card;
    card.addRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    painter.fillPath(card, color(Token::panel));
    painter.save();
    painter.setClipPath(card);
    painter.fillRect(QRectF(0, 0, kBand, height()), color(bandOf(m_finding.tone)));
    painter.restore();
    painter.setPen(color(Token::border));
    painter.drawPath(card);
}

} // namespace divdet
