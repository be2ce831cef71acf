#include "views/widgets/verdict_block.h"
#include "gui/icons.h"
#include "gui/theme.h"
#include "views/widgets/chip.h"
#include "views/widgets/icon_view.h"
#include "views/widgets/label.h"
#include "views/widgets/link_label.h"
#include "views/widgets/use_bar.h"
#include <QAction>
#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace divdet {

VerdictBlock::VerdictBlock(QWidget* parent)
    : QFrame(parent)
    , m_copy(new QAction(tr("Copy as Markdown"), this))
    , m_icon(new IconView({}, Token::text1, 28, this))
    , m_word(new Label({}, FontStep::verdict, Token::text1, this))
    , m_class(new Chip({}, this))
    , m_classLine(new Label({}, FontStep::body, Token::text1, this))
    , m_sentence(new Label({}, FontStep::body, Token::text1, this))
    , m_use(new UseBar(this))
    , m_useText(new Label({}, FontStep::caption, Token::text2, this))
    , m_grid(new QGridLayout)
    , m_footer(new Label({}, FontStep::caption, Token::text2, this)) {
    setObjectName(QStringLiteral("verdictBlock"));
    setFocusPolicy(Qt::TabFocus);
    m_word->setObjectName(QStringLiteral("verdictWord"));
    m_sentence->setObjectName(QStringLiteral("verdictSentence"));
    m_class->setObjectName(QStringLiteral("verdictClass"));
    m_classLine->setObjectName(QStringLiteral("verdictClassLine"));
    m_classLine->setTextFormat(Qt::RichText);
    m_classLine->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_classLine->setFont(divdet::font(FontStep::body, QFont::DemiBold));
    connect(m_classLine, &QLabel::linkActivated, this,
            [this] { emit classTapActivated(m_content.classTap); });
    // A link keeps the colour it was made with.
    connect(&Theme::current(), &Theme::changed, this, &VerdictBlock::fillClass);
    m_use->setObjectName(QStringLiteral("verdictUse"));
    m_footer->setObjectName(QStringLiteral("verdictFooter"));
    m_copy->setIcon(icon(QStringLiteral("copy")));
    addAction(m_copy);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_copy, &QAction::triggered, this,
            [this] { QGuiApplication::clipboard()->setText(verdictMarkdown(m_content)); });
    for (Label* label : {m_classLine, m_sentence, m_useText, m_footer}) label->setWordWrap(true);

    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(m_icon);
    head->addWidget(m_word);
    head->addStretch(1);
    head->addWidget(m_class);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnMinimumWidth(1, 60);
    m_grid->setColumnStretch(2, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 12, 12, 12);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_classLine);
    column->addWidget(m_sentence);
    column->addWidget(m_use);
    column->addWidget(m_useText);
    column->addSpacing(4);
    column->addLayout(m_grid);
    column->addWidget(m_footer);
    setContent({});
}

void VerdictBlock::setContent(const VerdictContent& content) {
    m_content = content;
    const VerdictLook look = verdictLook(content.tone);
    if (m_content.word.isEmpty()) m_content.word = look.word;
    static_cast<IconView*>(m_icon)->setIcon(look.icon, look.fg);
    m_word->setText(m_content.word);
    m_word->setToken(look.fg);
    m_class->setVisible(content.cls != ClassTone::none);
    if (content.cls != ClassTone::none) {
        ChipLook chip = ChipLook::ofClass(content.cls);
        chip.bg = look.bg == chip.bg ? Token::panel : chip.bg; // on its own ground the chip would vanish
        m_class->setLook(chip);
    }
    const auto show = [](Label* label, const QString& text) {
        label->setText(text);
        label->setVisible(!text.isEmpty());
    };
    fillClass();
    show(m_sentence, content.sentence);
    show(m_useText, content.useText);
    show(m_footer, content.footer);
    m_footer->setToolTip(content.footerTip);
    m_use->setVisible(!std::isnan(content.use));
    m_use->setUse(content.use, content.tone);
    fillRows();
    const QString why = content.classBefore + content.classTap + content.classAfter;
    setAccessibleName(m_content.word + QLatin1String(". ") +
                      (why.isEmpty() ? QString() : why + QLatin1String(". ")) + content.sentence);
    update();
}

void VerdictBlock::fillClass() {
    QString words = m_content.classBefore.toHtmlEscaped();
    if (!m_content.classTap.isEmpty()) {
        // Names of taps are long and have no spaces: they may break where a person would break them.
        QString name = m_content.classTap.toHtmlEscaped();
        constexpr qsizetype kLong = 24;
        if (m_content.classTap.size() > kLong)
            for (const char* gap : {".", "/", "_"})
                name.replace(QLatin1String(gap), QLatin1String(gap) + QLatin1String("<wbr>"));
        words +=
            QStringLiteral("<a href=\"#\" style=\"color:%1\">%2</a>").arg(color(Token::accent).name(), name);
    }
    words += m_content.classAfter.toHtmlEscaped();
    m_classLine->setText(words);
    m_classLine->setAccessibleName(m_content.classBefore + m_content.classTap + m_content.classAfter);
    m_classLine->setToolTip(m_content.classTap.isEmpty() ? QString()
                                                         : tr("Select %1").arg(m_content.classTap));
    m_classLine->setVisible(!words.isEmpty());
}

void VerdictBlock::setMaximumRows(int rows) {
    m_maximumRows = rows;
    fillRows();
}

VerdictBlock::Row& VerdictBlock::rowAt(std::size_t index) {
    while (m_rows.size() <= index) {
        const int line = static_cast<int>(m_rows.size());
        Row row{new LinkLabel({}, Token::text2, this), new Label({}, FontStep::body, Token::text1, this),
                new ElidedLabel({}, FontStep::caption, Token::text2, this)};
        row.value->setFont(monoFont());
        row.note->setFont(monoFont(FontStep::caption));
        row.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        row.value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(row.label, line, 0, Qt::AlignLeft);
        m_grid->addWidget(row.value, line, 1);
        m_grid->addWidget(row.note, line, 2);
        connect(row.label, &LinkLabel::clicked, this, [this, line] {
            const QString& key = m_content.rows[static_cast<std::size_t>(line)].key;
            if (!key.isEmpty()) emit rowActivated(key);
        });
        m_rows.push_back(row);
    }
    return m_rows[index];
}

void VerdictBlock::fillRows() {
    const std::size_t shown =
        std::min(m_content.rows.size(), static_cast<std::size_t>(std::max(m_maximumRows, 0)));
    for (std::size_t i = 0; i < shown; ++i) {
        const VerdictRow& from = m_content.rows[i];
        Row& row = rowAt(i);
        row.label->setText(from.label);
        row.label->setClickable(!from.key.isEmpty());
        row.label->setAccessibleName(QStringList{from.label, from.value, from.note}.join(QLatin1Char(' ')));
        row.label->updateGeometry();
        row.value->setText(from.value);
        row.value->setToken(from.value == QLatin1String("0") ? Token::text2 : Token::text1);
        row.note->setText(from.note);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        for (QWidget* widget : {static_cast<QWidget*>(row.label), static_cast<QWidget*>(row.value),
                                static_cast<QWidget*>(row.note)})
            widget->setVisible(i < shown);
    }
}

void VerdictBlock::setProgress(double fraction) {
    m_progress = fraction;
    update();
}

void VerdictBlock::paintEvent(QPaintEvent*) {
    const VerdictLook look = verdictLook(m_content.tone);
    QPainter painter(this);
    painter.fillRect(rect(), color(look.bg));
    painter.fillRect(QRect(0, 0, 4, height()), color(look.solid));
    if (!std::isnan(m_progress)) {
        const bool known = m_progress >= 0;
        const int end = qRound(width() * (known ? std::min(m_progress, 1.0) : 1.0));
        painter.setOpacity(known ? 1.0 : 0.5);
        painter.fillRect(QRect(0, height() - 2, end, 2), color(Token::accent));
        painter.setOpacity(1.0);
    }
    if (hasFocus()) {
        painter.setPen(QPen(color(Token::accent), 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

} // namespace divdet
