#include "views/plot_area.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <algorithm>

#include "plots/plot_widget.h"
#include "views/widgets/flow_legend.h"
#include "views/widgets/plot_card.h"

namespace divdet {
namespace {
constexpr int kLeftShare = 48, kRightShare = 52;
}

PlotArea::PlotArea(QWidget* parent)
    : QSplitter(Qt::Horizontal, parent) {
    setObjectName(QStringLiteral("plotArea"));
    setChildrenCollapsible(false);
    setHandleWidth(8);
}

void PlotArea::addPlot(const QString& name, const QString& title, PlotWidget* plot) {
    auto* card = new PlotCard(name, title, this);
    card->setContent(plot);
    addWidget(card);
    m_entries.append({name, title, card, plot});
    connect(card, &PlotCard::zoomResetRequested, plot, &PlotWidget::reset);
    connect(card, &PlotCard::copyImageRequested, plot, &PlotWidget::copyImage);
    connect(card, &PlotCard::soloRequested, this, [this, name] {
        if (layoutCount() == 1) return setLayoutCount(2);
        m_one = {name};
        setLayoutCount(1);
    });
    for (const QString& suffix : {QStringLiteral("svg"), QStringLiteral("png"), QStringLiteral("csv")}) {
        QAction* action = card->moreMenu()->addAction(tr("Save as %1…").arg(suffix.toUpper()));
        connect(action, &QAction::triggered, this,
                [this, plot, suffix] { emit exportRequested(plot, suffix); });
    }
    if (m_two.size() < 2) m_two << name;
    if (m_one.isEmpty()) m_one << name;
    arrange();
}

const PlotArea::Entry* PlotArea::find(const QString& name) const {
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& e) { return e.name == name; });
    return found == m_entries.end() ? nullptr : &*found;
}

PlotCard* PlotArea::card(const QString& name) const {
    const Entry* entry = find(name);
    return entry ? entry->card : nullptr;
}

PlotWidget* PlotArea::plot(const QString& name) const {
    const Entry* entry = find(name);
    return entry ? entry->plot : nullptr;
}

int PlotArea::layoutCount() const {
    return std::min(m_wanted, m_room);
}

void PlotArea::setLayoutCount(int count) {
    m_wanted = std::clamp(count, 1, 2);
    arrange();
}

void PlotArea::setRoom(int plots) {
    if (plots == m_room) return;
    m_room = plots;
    arrange();
}

QList<std::pair<QString, QString>> PlotArea::all() const {
    QList<std::pair<QString, QString>> names;
    for (const Entry& entry : m_entries) names << std::pair(entry.name, entry.title);
    return names;
}

QStringList PlotArea::shown() const {
    QStringList names;
    const QStringList& wanted = layoutCount() == 1 ? m_one : m_two;
    for (const Entry& entry : m_entries)
        if (wanted.contains(entry.name)) names << entry.name;
    return names;
}

void PlotArea::showPlots(const QStringList& names) {
    if (names.isEmpty()) return;
    if (names.size() == 1) {
        m_one = names;
        m_wanted = 1;
    } else {
        m_two = names.mid(0, 2);
        m_one = {names.first()};
        m_wanted = 2;
    }
    arrange();
}

void PlotArea::bring(const QString& name, bool add) {
    if (!find(name)) return;
    if (add && layoutCount() < m_room && !shown().contains(name)) {
        m_two = QStringList{m_one.last(), name};
        m_wanted = 2;
        return arrange();
    }
    QStringList& names = current();
    if (!names.contains(name)) {
        if (names.size() >= layoutCount()) names.removeFirst();
        names << name;
    }
    arrange();
}

PlotWidget* PlotArea::active() const {
    const QWidget* focus = QApplication::focusWidget();
    for (const Entry& entry : m_entries)
        if (focus && entry.card->isVisible() && entry.card->isAncestorOf(focus)) return entry.plot;
    const QStringList& names = layoutCount() == 1 ? m_one : m_two;
    return names.isEmpty() ? nullptr : plot(names.last());
}

void PlotArea::arrange() {
    const QStringList names = shown();
    for (const Entry& entry : m_entries) entry.card->setVisible(names.contains(entry.name));
    QList<int> sizes;
    for (const Entry& entry : m_entries) {
        const auto place = names.indexOf(entry.name);
        sizes << (place < 0 ? 0 : place == 0 ? kLeftShare * 10 : kRightShare * 10);
    }
    setSizes(sizes);
    refreshLegends();
    emit arrangementChanged();
}

void PlotArea::refreshLegends() {
    for (const Entry& entry : m_entries)
        if (!entry.card->isHidden()) entry.card->legend()->setItems(entry.plot->legend());
}

} // namespace divdet
