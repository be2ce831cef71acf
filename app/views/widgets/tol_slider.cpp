#include "views/widgets/tol_slider.h"
#include "gui/number_format.h"
#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <cmath>
#include <limits>

namespace divdet {
namespace {
constexpr double sideMargin = 9;
constexpr double hitRadius = 10;
} // namespace

TolSlider::TolSlider(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_needed(std::numeric_limits<double>::quiet_NaN()) {
    installTolSliderAccessibility();
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(name);
    describe();
}

TolScale TolSlider::scale() const {
    TolScale made;
    made.length = width() - 2 * sideMargin;
    return made;
}

double TolSlider::xOf(double value) const {
    return sideMargin + scale().positionOf(value);
}

double TolSlider::flipX() const {
    if (std::isnan(m_needed) || m_needed <= 0 || m_needed > TolScale::largest)
        return std::numeric_limits<double>::quiet_NaN();
    if (m_needed < TolScale::smallest) return sideMargin + scale().gap / 2;
    return xOf(m_needed);
}

void TolSlider::setValue(double value) {
    if (std::isnan(value) || value < 0 || value == m_value) return;
    m_value = value;
    describe();
    update();
    QAccessibleValueChangeEvent event(this, value);
    QAccessible::updateAccessibility(&event);
}

void TolSlider::setNeeded(double needed) {
    m_needed = needed;
    describe();
    update();
}

void TolSlider::describe() {
    QString text = num::tolerance(m_value);
    if (std::isinf(m_needed))
        text += tr(", no value passes");
    else if (m_needed == 0)
        text += tr(", every value passes");
    else if (!std::isnan(m_needed))
        text += tr(", passes from %1").arg(num::neededTolerance(m_needed));
    setAccessibleDescription(text);
    setToolTip(text);
}

void TolSlider::take(double value) {
    if (value == m_value) return;
    setValue(value);
    emit valueChanged(m_value);
}

void TolSlider::stepBy(int tenths) {
    const double next = TolScale::stepped(m_value, tenths);
    if (next == m_value) return;
    take(next);
    emit released();
}

void TolSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    const double x = event->position().x();
    const double handle = xOf(m_value);
    m_dragging = true;
    // Grabbed off its centre the handle does not jump; a press on the track takes that place.
    m_grab = std::abs(x - handle) <= hitRadius ? x - handle : 0;
    if (m_grab == 0 && x != handle) take(scale().valueAt(x - sideMargin));
    update();
}

void TolSlider::mouseMoveEvent(QMouseEvent* event) {
    if (m_dragging) take(scale().valueAt(event->position().x() - m_grab - sideMargin));
}

void TolSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_dragging) return;
    m_dragging = false;
    update();
    emit released();
}

void TolSlider::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        return stepBy(-1);
    case Qt::Key_Right:
    case Qt::Key_Up:
        return stepBy(1);
    case Qt::Key_PageDown:
        return stepBy(-10);
    case Qt::Key_PageUp:
        return stepBy(10);
    case Qt::Key_Home:
        return stepBy(-1000);
    case Qt::Key_End:
        return stepBy(1000);
    default:
        QWidget::keyPressEvent(event);
    }
}

void TolSlider::wheelEvent(QWheelEvent* event) {
    m_wheel += event->angleDelta().y() ? event->angleDelta().y() : event->angleDelta().x();
    const int notches = m_wheel / 120; // a fine wheel or a touch pad comes in parts of a notch
    m_wheel -= notches * 120;
    stepBy(notches);
    event->accept();
}

} // namespace divdet
