#include "views/widgets/section_head.h"
#include "views/widgets/label.h"
#include <QHBoxLayout>

namespace divdet {

SectionHead::SectionHead(const QString& title, QWidget* parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
    , m_title(new ElidedLabel({}, FontStep::section, Token::text2, this))
    , m_subtitle(new ElidedLabel({}, FontStep::body, Token::text2, this))
    , m_caption(new Label({}, FontStep::caption, Token::text2, this)) {
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(8);
    m_row->addWidget(m_title);
    m_row->addWidget(m_subtitle, 1);
    m_row->addWidget(m_caption);
    m_caption->hide();
    setTitle(title);
}

void SectionHead::setTitle(const QString& title) {
    m_title->setText(title.toUpper());
    m_title->setAccessibleName(title);
}

void SectionHead::setCaption(const QString& caption) {
    m_caption->setText(caption);
    m_caption->setVisible(!caption.isEmpty());
}

void SectionHead::setSubtitle(const QString& subtitle) {
    m_subtitle->setText(subtitle);
}

void SectionHead::addWidget(QWidget* widget) {
    m_row->addWidget(widget);
}

} // namespace divdet
