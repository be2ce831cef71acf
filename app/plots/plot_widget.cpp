#include "plots/plot_widget.h"
#include "gui/fonts.h"
#include "gui/theme.h"
#include "plots/export_plot.h"
#include "plots/log_ticker.h"
#include "plots/plot_overlay.h"
#include "plots/qcp.h"
#include "plots/view_range.h"
#include <QClipboard>
#include <QGuiApplication>

namespace divdet {
namespace {

ViewRange viewOf(const QCPAxis* axis) {
    return {axis->range().lower, axis->range().upper};
}
void setView(QCPAxis* axis, ViewRange view) {
    axis->setRange(view.low, view.high);
}

} // namespace

PlotWidget::PlotWidget(QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
    , m_overlay(new PlotOverlay(this)) {
    // Order of drawing: regions lie under the grid, marks over the curves, texts on top.
    m_plot->addLayer(QStringLiteral("region"), m_plot->layer(QStringLiteral("grid")), QCustomPlot::limBelow);
    m_plot->addLayer(QStringLiteral("marks"), m_plot->layer(QStringLiteral("axes")), QCustomPlot::limAbove);
    m_plot->addLayer(QStringLiteral("texts"), m_plot->layer(QStringLiteral("marks")), QCustomPlot::limAbove);
    m_plot->setMouseTracking(true);
    m_plot->setMinimumSize(16, 16); // without a surface it cannot draw, and a hidden splitter pane has none
    m_plot->installEventFilter(this);
    m_plot->axisRect()->setupFullAxesBox(true);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTicker(QSharedPointer<LogTicker>::create(axis));
        axis->setNumberFormat(QStringLiteral("g")); // else `1e-5` is redrawn as a power of ten
    }
    for (QCPAxis* axis : {m_plot->xAxis2, m_plot->yAxis2}) {
        axis->setTicks(false);
        axis->setTickLabels(false);
    }
    m_plot->axisRect()->setMinimumMargins(QMargins(4, 9, 14, 4));
    m_plot->setPlottingHints(QCP::phCacheLabels);
    setFocusPolicy(Qt::StrongFocus);
    m_plot->setFocusProxy(this);
    connect(m_plot, &QCustomPlot::afterReplot, this, [this] { ++m_replots; });
    connect(m_plot, &QCustomPlot::afterLayout, this, [this] { afterLayout(); });
    connect(&Theme::current(), &Theme::changed, this, [this] {
        applyColours();
        refresh();
    });
}

PlotWidget::~PlotWidget() {
    // The plot's destructor still lays out and would call back into a half destroyed object.
    m_plot->disconnect(this);
    m_plot->removeEventFilter(this);
}

QPixmap PlotWidget::image(double scale) const {
    return m_plot->toPixmap(m_plot->width(), m_plot->height(), scale);
}
Status PlotWidget::exportTo(const QString& path) {
    return exportPlot(*m_plot, csv(), path);
}
std::optional<Readout> PlotWidget::currentReadout() const {
    return m_overlay->readout();
}
void PlotWidget::copyImage() {
    QGuiApplication::clipboard()->setPixmap(image(2.0));
}
QCPAxisRect* PlotWidget::axisRect() const {
    return m_plot->axisRect();
}
QRectF PlotWidget::area() const {
    return m_plot->axisRect()->rect();
}

QPointF PlotWidget::pixel(double x, double y) const {
    return {m_plot->xAxis->coordToPixel(x), m_plot->yAxis->coordToPixel(y)};
}

QPointF PlotWidget::coordinate(QPointF pixel) const {
    return {m_plot->xAxis->pixelToCoord(pixel.x()), m_plot->yAxis->pixelToCoord(pixel.y())};
}

void PlotWidget::applyColours() {
    m_coloured = true;
    QPalette colours = m_plot->palette();
    colours.setColor(QPalette::Base, color(Token::panel));
    m_plot->setPalette(colours);
    m_plot->setBackground(color(Token::panel));
    m_plot->axisRect()->setBackground(color(Token::plot));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis, m_plot->xAxis2, m_plot->yAxis2}) {
        const QPen line(color(Token::border), 1);
        axis->setBasePen(line);
        axis->setTickPen(line);
        axis->setSubTickPen(line);
        axis->setTickLength(0, 4);
        axis->setSubTickLength(0, 0);
        axis->setTickLabelFont(divdet::font(FontStep::tick));
        axis->setTickLabelColor(color(Token::text2));
        axis->setTickLabelPadding(5);
        axis->setLabelFont(divdet::font(FontStep::caption));
        axis->setLabelColor(color(Token::text2));
        axis->setLabelPadding(3);
        axis->grid()->setPen(QPen(color(Token::grid), 1));
        axis->grid()->setSubGridPen(QPen(color(Token::gridMinor), 1));
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->grid()->setSubGridVisible(true);
    }
}

void PlotWidget::refresh() {
    if (!m_coloured) applyColours();
    // A plot that was never laid out has no surface to draw on; showEvent draws it.
    if (isVisible()) m_plot->replot(QCustomPlot::rpQueuedRefresh);
}

void PlotWidget::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void PlotWidget::fitUnlessMoved() {
    if (!m_viewMoved) fit();
}

void PlotWidget::reset() {
    m_viewMoved = false;
    fit();
    refresh();
    emit viewChanged();
}

bool PlotWidget::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_plot) return QWidget::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return pressed(*static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
        moved(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::MouseButtonRelease:
        released(*static_cast<QMouseEvent*>(event));
        return true;
    case QEvent::MouseButtonDblClick:
        m_drag = Drag::none;
        doubleClicked(static_cast<QMouseEvent*>(event)->position());
        return true;
    case QEvent::Wheel:
        wheeled(*static_cast<QWheelEvent*>(event));
        return true;
    case QEvent::Leave:
        m_overlay->setReadout(std::nullopt, {});
        return false;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

bool PlotWidget::pressed(QMouseEvent& event) {
    setFocus(Qt::MouseFocusReason);
    m_press = m_last = event.position();
    m_moved = false;
    m_drag = Drag::none;
    if (event.button() == Qt::LeftButton)
        m_drag = takesDrag(m_press, event.modifiers()) ? Drag::own : Drag::pan;
    if (event.button() == Qt::RightButton) m_drag = Drag::box;
    return true;
}

void PlotWidget::moved(QMouseEvent& event) {
    const QPointF pos = event.position();
    if (m_drag == Drag::none) return hover(pos);
    constexpr double kSlack = 3; // px before a press becomes a drag
    if (!m_moved && (pos - m_press).manhattanLength() < kSlack) return;
    m_moved = true;
    m_overlay->setReadout(std::nullopt, pos);
    if (m_drag == Drag::own) dragTo(pos, event.modifiers());
    if (m_drag == Drag::box) m_overlay->setZoomBox(QRectF(m_press, pos).normalized());
    if (m_drag == Drag::pan) {
        const QPointF by = coordinate(m_last) - coordinate(pos);
        m_plot->xAxis->moveRange(by.x());
        if (!m_fixVertical) m_plot->yAxis->moveRange(by.y());
        m_viewMoved = true;
        refresh();
        emit viewChanged();
    }
    m_last = pos;
}

void PlotWidget::released(QMouseEvent& event) {
    const Drag drag = std::exchange(m_drag, Drag::none);
    m_overlay->setZoomBox(std::nullopt);
    if (drag == Drag::own) dropped();
    if (!m_moved && event.button() == Qt::LeftButton && drag != Drag::none) clicked(event.position());
    if (m_moved && drag == Drag::box) zoomTo(QRectF(m_press, event.position()).normalized());
}

void PlotWidget::zoomTo(const QRectF& box) {
    constexpr double kLeast = 6; // px: a smaller box is a slip of the hand
    if (box.width() < kLeast || (!m_fixVertical && box.height() < kLeast)) return;
    const QPointF a = coordinate(box.bottomLeft()), b = coordinate(box.topRight());
    setView(m_plot->xAxis, ordered(a.x(), b.x()));
    if (!m_fixVertical) setView(m_plot->yAxis, ordered(a.y(), b.y()));
    m_viewMoved = true;
    refresh();
    emit viewChanged();
}

void PlotWidget::wheeled(QWheelEvent& event) {
    const double steps = event.angleDelta().y() / 120.0;
    if (steps == 0) return;
    const QPointF at = coordinate(event.position());
    const double factor = std::pow(0.85, steps);
    setView(m_plot->xAxis, zoomedAt(viewOf(m_plot->xAxis), at.x(), factor));
    if (!m_fixVertical) setView(m_plot->yAxis, zoomedAt(viewOf(m_plot->yAxis), at.y(), factor));
    m_viewMoved = true;
    refresh();
    emit viewChanged();
}

void PlotWidget::hover(QPointF pos) {
    m_plot->setCursor(cursorAt(pos));
    m_overlay->setReadout(readoutAt(pos), pos);
}

void PlotWidget::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || !m_coloured) return;
    applyColours();
    refresh();
}

void PlotWidget::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_plot->setGeometry(rect());
    m_overlay->setGeometry(rect());
    m_overlay->raise();
    fitUnlessMoved();
    refresh();
}

void PlotWidget::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Home) return reset();
    QWidget::keyPressEvent(event);
}

} // namespace divdet
