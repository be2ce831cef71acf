#include "views/start_page.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/recent_pairs.h"
#include "views/widgets/buttons.h"
#include "views/widgets/chip.h"
#include "views/widgets/icon_view.h"
#include "views/widgets/label.h"
#include "views/widgets/link_label.h"
#include "views/widgets/section_head.h"

namespace divdet {

StartPage::StartPage(QWidget* parent)
    : QWidget(parent)
    , m_zone(new DropZone(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(40, 28, 40, 28);
    column->setSpacing(12);
    m_zone->setMinimumHeight(180);
    column->addWidget(m_zone, 1);
    connect(m_zone, &DropZone::dropped, this, &StartPage::dropped);
    connect(m_zone, &DropZone::browseRequested, this, &StartPage::browseRequested);

    auto* tiles = new QHBoxLayout;
    tiles->setSpacing(12);
    auto* go =
        makeButton(tr("Go to the live block"), ButtonKind::standard, this, QStringLiteral("goLiveButton"));
    connect(go, &QPushButton::clicked, this, &StartPage::livePageRequested);
    tiles->addWidget(makeTile(QStringLiteral("live"), tr("No files at hand?"),
                              tr("The live block runs at once and shows drift and bugs side by side."), go));
    tiles->addWidget(makeTile(QStringLiteral("save"), tr("Where do files come from?"),
                              tr("numpy, torch.save, safetensors, ONNX and Polygraphy write what this page "
                                 "reads. Equal names make a "
                                 "pair. A .divdet file shows a saved comparison."),
                              nullptr));
    column->addLayout(tiles);

    m_recent = new QFrame(this);
    m_recent->setObjectName(QStringLiteral("card"));
    auto* recent = new QVBoxLayout(m_recent);
    recent->setContentsMargins(16, 10, 12, 12);
    recent->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->addWidget(new Label(tr("Recent pairs"), FontStep::card, Token::text1, m_recent), 1);
    auto* clear = makeButton(tr("Clear"), ButtonKind::text, m_recent);
    connect(clear, &QPushButton::clicked, this, [this] {
        forgetPairs();
        refreshRecent();
    });
    head->addWidget(clear);
    recent->addLayout(head);
    m_recentLines = new QVBoxLayout;
    m_recentLines->setSpacing(4);
    recent->addLayout(m_recentLines);
    column->addWidget(m_recent);
    refreshRecent();
}

QWidget* StartPage::makeTile(const QString& icon, const QString& title, const QString& words,
                             QPushButton* button) {
    auto* tile = new QFrame(this);
    tile->setObjectName(QStringLiteral("card"));
    tile->setMinimumHeight(120);
    auto* column = new QVBoxLayout(tile);
    column->setContentsMargins(16, 14, 16, 12);
    column->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(new IconView(icon, Token::accent, 16, tile));
    head->addWidget(new Label(title, FontStep::card, Token::text1, tile), 1);
    column->addLayout(head);
    auto* text = new Label(words, FontStep::body, Token::text2, tile);
    text->setWordWrap(true);
    column->addWidget(text);
    column->addStretch(1);
    if (button) column->addWidget(button, 0, Qt::AlignLeft);
    return tile;
}

void StartPage::setReference(const QString& name) {
    if (name.isEmpty())
        m_zone->setTexts(
            tr("Drop two files here"),
            tr("First the reference, then the candidate. A folder of tensors counts as one file."));
    else
        m_zone->setTexts(tr("Drop the candidate here"),
                         tr("It is compared with %1. Several candidates are welcome.").arg(name));
}

void StartPage::refreshRecent() {
    while (QLayoutItem* item = m_recentLines->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const RecentPair& pair : recentPairs()) {
        if (!QFileInfo::exists(pair.reference) || !QFileInfo::exists(pair.candidate)) continue;
        auto* line = new QWidget(m_recent);
        auto* row = new QHBoxLayout(line);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(8);
        const ChipLook chip = ChipLook::ofVerdict(verdictToneFromId(pair.verdict));
        row->addWidget(new IconView(chip.icon, chip.fg, 16, line));
        auto* link = new LinkLabel(QFileInfo(pair.reference).fileName() + QStringLiteral(" ⟷ ") +
                                       QFileInfo(pair.candidate).fileName(),
                                   Token::text1, line);
        link->setFont(monoFont());
        link->setToolTip(pair.reference + QLatin1Char('\n') + pair.candidate);
        connect(link, &LinkLabel::clicked, this, [this, pair] {
            emit dropped({pair.reference, pair.candidate}, DropSide::automatic);
        });
        row->addWidget(link);
        row->addStretch(1);
        row->addWidget(new Chip(chip, line));
        m_recentLines->addWidget(line);
    }
    m_recent->setVisible(m_recentLines->count() > 0);
}

} // namespace divdet
