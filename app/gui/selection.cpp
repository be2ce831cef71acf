#include "gui/selection.h"

namespace divdet {
namespace {
constexpr qsizetype kLongestHistory = 100;
}

Selection::Selection(QObject* parent)
    : QObject(parent) {}

void Selection::show(const Place& place) {
    m_tap = place.tap;
    m_element = place.element;
    emit changed();
}

void Selection::select(const QString& tap, qint64 element) {
    if (tap == m_tap && element == m_element) return;
    m_history.resize(m_at + 1);
    m_history.append({tap, element});
    if (m_history.size() > kLongestHistory) m_history.removeFirst();
    m_at = m_history.size() - 1;
    show(m_history.last());
}

void Selection::reset(const QString& tap) {
    m_history = {{tap, -1}};
    m_at = 0;
    if (tap == m_tap && m_element == -1) return;
    show(m_history.first());
}

void Selection::back() {
    if (canGoBack()) show(m_history.at(--m_at));
}

void Selection::forward() {
    if (canGoForward()) show(m_history.at(++m_at));
}

} // namespace divdet
