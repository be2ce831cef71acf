#include "views/widgets/plot_card.h"
#include "views/widgets/buttons.h"
#include "views/widgets/flow_legend.h"
#include "views/widgets/label.h"
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

namespace divdet {

PlotCard::PlotCard(const QString& name, const QString& title, QWidget* parent)
    : QFrame(parent)
    , m_name(name)
    , m_head(new QWidget(this))
    , m_subtitle(new ElidedLabel({}, FontStep::body, Token::text2, m_head))
    , m_legend(new FlowLegend(this))
    , m_menu(new QMenu(this))
    , m_column(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("plotCard_") + name);
    setAccessibleName(title);
    m_head->setObjectName(QStringLiteral("plotHead"));
    m_head->setFixedHeight(26);
    m_head->installEventFilter(this);

    auto* titleLabel = new Label(title, FontStep::card, Token::text1, m_head);
    QToolButton* reset = makeIconButton(QStringLiteral("reset"), tr("Reset zoom (Home)"), m_head,
                                        QStringLiteral("resetZoomButton"));
    QToolButton* copy =
        makeIconButton(QStringLiteral("copy"), tr("Copy image"), m_head, QStringLiteral("copyImageButton"));
    QToolButton* more = makeIconButton(QStringLiteral("more"), tr("Export and options"), m_head,
                                       QStringLiteral("moreButton"));
    more->setPopupMode(QToolButton::InstantPopup);
    more->setMenu(m_menu);
    connect(reset, &QToolButton::clicked, this, &PlotCard::zoomResetRequested);
    connect(copy, &QToolButton::clicked, this, &PlotCard::copyImageRequested);

    auto* row = new QHBoxLayout(m_head);
    row->setContentsMargins(4, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(titleLabel);
    row->addWidget(m_subtitle, 1);
    for (QToolButton* button : {reset, copy, more}) row->addWidget(button);
    m_column->setContentsMargins(6, 6, 6, 6);
    m_column->setSpacing(2);
    m_column->addWidget(m_head);
    m_column->addWidget(m_legend);
    m_legend->setContentsMargins(4, 0, 4, 0);
}

void PlotCard::setSubtitle(const QString& subtitle) {
    m_subtitle->setText(subtitle);
}

void PlotCard::setContent(QWidget* content) {
    delete m_content;
    m_content = content;
    if (content) m_column->addWidget(content, 1);
}

bool PlotCard::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_head && event->type() == QEvent::MouseButtonDblClick) {
        emit soloRequested();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace divdet
