#include "views/tool_page.h"

#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "views/widgets/buttons.h"
#include "views/widgets/label.h"

namespace divdet {
namespace {

constexpr int kStrip = 36, kBar = 120; ///< px
constexpr int kParts = 1000;           ///< of a progress bar, whose numbers are of int

} // namespace

ToolPage::ToolPage(const QString& name, QWidget* form, QWidget* parent)
    : QWidget(parent)
    , m_form(form) {
    setObjectName(name + QStringLiteral("Page"));
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(form);
    m_controls = scroll;
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* strip = new QWidget(this);
    strip->setFixedHeight(kStrip);
    m_strip = new QHBoxLayout(strip);
    m_strip->setContentsMargins(14, 4, 8, 4);
    m_strip->setSpacing(8);
    m_what = new ElidedLabel({}, FontStep::body, Token::text2, strip);
    m_what->setObjectName(name + QStringLiteral("What"));
    m_bar = new QProgressBar(strip);
    m_bar->setObjectName(name + QStringLiteral("Progress"));
    m_bar->setAccessibleName(tr("Progress"));
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(kBar);
    m_cancel = makeButton(tr("Cancel   Esc"), ButtonKind::quiet, strip, name + QStringLiteral("Cancel"),
                          QStringLiteral("close"));
    connect(m_cancel, &QPushButton::clicked, this, &ToolPage::cancelRequested);
    m_command = makeButton(tr("Command line"), ButtonKind::toggle, strip,
                           name + QStringLiteral("CommandLineButton"), QStringLiteral("term"));
    m_command->setCheckable(false);
    m_command->setToolTip(tr("Copy the divdet command that asks the same"));
    connect(m_command, &QPushButton::clicked, this, &ToolPage::commandLineRequested);
    m_strip->addWidget(m_what, 1);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_cancel), static_cast<QWidget*>(m_command)})
        m_strip->addWidget(widget);
    column->addWidget(strip);
    m_cards = new QVBoxLayout;
    m_cards->setContentsMargins(8, 0, 8, 8);
    m_cards->setSpacing(8);
    column->addLayout(m_cards, 1);
    setRunning(false);
}

void ToolPage::addToStrip(QWidget* widget) {
    widget->setParent(m_command->parentWidget());
    m_strip->insertWidget(m_strip->indexOf(m_command), widget);
}

void ToolPage::setWhat(const QString& what) {
    m_what->setText(what);
}

void ToolPage::setRunning(bool running) {
    if (running && !m_bar->isVisibleTo(this)) m_bar->setRange(0, 0);
    m_bar->setVisible(running);
    m_cancel->setVisible(running);
}

void ToolPage::setProgress(quint64 done, quint64 total) {
    m_bar->setRange(0, total > 0 ? kParts : 0);
    if (total > 0) m_bar->setValue(static_cast<int>(kParts * std::min(done, total) / total));
}

void ToolPage::setHasCommandLine(bool has) {
    m_command->setEnabled(has);
}

void ToolPage::setNarrow(bool narrow) {
    m_command->setText(narrow ? QString() : tr("Command line"));
    m_command->setAccessibleName(tr("Command line"));
}

} // namespace divdet
