#include "views/plot_strip.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QToolButton>

#include "gui/theme.h"
#include "views/plot_area.h"
#include "views/widgets/buttons.h"

namespace divdet {

PlotStrip::PlotStrip(PlotArea* area, QWidget* parent)
    : QWidget(parent)
    , m_area(area) {
    setObjectName(QStringLiteral("plotStrip"));
    setFixedHeight(36);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(4);
    for (const auto& [name, title] : area->all()) addToggle(name, title);
    row->addStretch(1);
    m_command = makeButton(tr("Command line"), ButtonKind::toggle, this, QStringLiteral("commandLineButton"),
                           QStringLiteral("term"));
    m_command->setCheckable(false);
    m_command->setToolTip(tr("Copy the divdet command that makes the same run"));
    connect(m_command, &QPushButton::clicked, this, &PlotStrip::commandLineRequested);
    row->addWidget(m_command);
    addLayoutButton(1, QStringLiteral("g1"));
    addLayoutButton(2, QStringLiteral("g2"));
    connect(area, &PlotArea::arrangementChanged, this, &PlotStrip::showArrangement);
    showArrangement();
}

void PlotStrip::setNarrow(bool narrow) {
    m_command->setText(narrow ? QString() : tr("Command line"));
    m_command->setAccessibleName(tr("Command line"));
    for (QPushButton* button : m_toggles) setStyleProperty(button, "tight", narrow);
    layout()->setSpacing(narrow ? 1 : 4);
}

void PlotStrip::addToggle(const QString& name, const QString& title) {
    const QString object = QStringLiteral("plot") + name.left(1).toUpper() + name.mid(1);
    auto* button = makeButton(title, ButtonKind::toggle, this, object);
    button->setProperty("plot", name);
    button->setToolTip(tr("Show this plot. With Ctrl: beside the others"));
    connect(button, &QPushButton::clicked, this, [this, name] {
        m_area->bring(name, QApplication::keyboardModifiers().testFlag(Qt::ControlModifier));
        showArrangement();
    });
    m_toggles << button;
    layout()->addWidget(button);
}

void PlotStrip::addLayoutButton(int count, const QString& icon) {
    auto* button = makeIconButton(icon, count == 1 ? tr("One plot") : tr("Two plots"), this,
                                  QStringLiteral("layout%1").arg(count));
    button->setCheckable(true);
    button->setProperty("plots", count);
    connect(button, &QToolButton::clicked, this, [this, count] {
        m_area->setLayoutCount(count);
        showArrangement();
    });
    m_layouts << button;
    layout()->addWidget(button);
}

void PlotStrip::showArrangement() {
    const QStringList shown = m_area->shown();
    for (QPushButton* button : m_toggles)
        button->setChecked(shown.contains(button->property("plot").toString()));
    for (QToolButton* button : m_layouts) {
        const int count = button->property("plots").toInt();
        button->setChecked(count == m_area->layoutCount());
        button->setEnabled(count <= m_area->room());
        button->setToolTip(count > m_area->room() ? tr("Two plots need a wider window")
                           : count == 1           ? tr("One plot")
                                                  : tr("Two plots"));
    }
}

} // namespace divdet
