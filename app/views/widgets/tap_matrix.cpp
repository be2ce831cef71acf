#include "views/widgets/tap_matrix.h"
#include "gui/fonts.h"
#include "gui/number_format.h"
#include "gui/theme.h"
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

namespace divdet {
namespace {

constexpr int kRowHeight = 26, kHead = 24, kScale = 34;
constexpr int kMostColumns = 400;

} // namespace

TapMatrix::TapMatrix(QWidget* parent)
    : QAbstractScrollArea(parent) {
    setObjectName(QStringLiteral("tapMatrix"));
    setAccessibleName(tr("Candidates by taps"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAutoFillBackground(false);
    connect(&Theme::current(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void TapMatrix::setRows(std::vector<Row> rows) {
    m_rows = std::move(rows);
    m_taps.clear();
    for (const Row& row : m_rows) {
        if (!row.comparison || row.comparison->pairs.empty()) continue;
        for (const TapPair& pair : row.comparison->pairs) m_taps.push_back(pair.name);
        break;
    }
    m_cells.clear();
    m_nameWidth = 60;
    const QFontMetricsF metrics(monoFont());
    for (const Row& row : m_rows) {
        m_cells.push_back(row.comparison ? cellsOf(m_taps, *row.comparison, row.judgement.get())
                                         : std::vector<TapCell>(m_taps.size()));
        m_nameWidth = std::max(m_nameWidth, metrics.horizontalAdvance(row.name) + 24);
    }
    m_row = std::min(m_row, static_cast<int>(m_rows.size()) - 1);
    m_tap = std::min(m_tap, tapCount() - 1);
    layoutColumns();
    updateGeometry();
    viewport()->update();
}

void TapMatrix::setColourBy(ColourBy by) {
    if (by == m_by) return;
    m_by = by;
    viewport()->update();
}

void TapMatrix::setCurrent(int row, int tap) {
    row = std::clamp(row, -1, static_cast<int>(m_rows.size()) - 1);
    tap = std::clamp(tap, -1, tapCount() - 1);
    if (row == m_row && tap == m_tap) return;
    m_row = row;
    m_tap = tap;
    if (row >= 0) {
        const QRectF box = band(row);
        if (box.top() < kHead) verticalScrollBar()->setValue(row * kRowHeight);
        const int room = viewport()->height() - kHead - kScale;
        if (box.bottom() > kHead + room) verticalScrollBar()->setValue((row + 1) * kRowHeight - room);
    }
    viewport()->update();
}

void TapMatrix::layoutColumns() {
    const double wide = axisBand().width();
    m_starts = columnStarts(tapCount(),
                            std::min({tapCount(), kMostColumns, std::max(1, static_cast<int>(wide / 2))}));
    const int room = viewport()->height() - kHead - kScale,
              need = static_cast<int>(m_rows.size()) * kRowHeight;
    verticalScrollBar()->setRange(0, std::max(0, need - room));
    verticalScrollBar()->setPageStep(std::max(kRowHeight, room));
    verticalScrollBar()->setSingleStep(kRowHeight);
}

QSize TapMatrix::sizeHint() const {
    return {600, kHead + kScale + kRowHeight * std::clamp(static_cast<int>(m_rows.size()), 1, 8)};
}

double TapMatrix::rightColumn() const {
    // Narrow: the count goes first, the word of the verdict last; the cells are what this is for.
    const int width = viewport()->width();
    if (width < 400) return 0;
    return width < 640 ? kVerdictWidth : kVerdictWidth + kCountWidth;
}

QRectF TapMatrix::axisBand() const {
    const double left = std::min(m_nameWidth, viewport()->width() * 0.32);
    return {left, 0, std::max(10.0, viewport()->width() - left - 12 - rightColumn()), kHead};
}

QRectF TapMatrix::band(int row) const {
    return {0.0, static_cast<double>(kHead + row * kRowHeight - verticalScrollBar()->value()),
            static_cast<double>(viewport()->width()), static_cast<double>(kRowHeight)};
}

QRectF TapMatrix::cellRect(int row, int column) const {
    const QRectF axis = axisBand(), box = band(row);
    const double step = axis.width() / std::max(1, columnCount());
    return {axis.left() + column * step, box.top() + 4, step, box.height() - 8};
}

TapCell TapMatrix::columnCell(int row, int column) const {
    TapCell out;
    const auto& cells = m_cells[static_cast<std::size_t>(row)];
    for (int i = m_starts[static_cast<std::size_t>(column)];
         i < m_starts[static_cast<std::size_t>(column) + 1]; ++i) {
        const TapCell& cell = cells[static_cast<std::size_t>(i)];
        out = i == m_starts[static_cast<std::size_t>(column)] ? cell : worseCell(out, cell);
    }
    return out;
}

int TapMatrix::rowAt(QPointF pos) const {
    if (pos.y() < kHead || pos.y() > viewport()->height() - kScale) return -1;
    const int row = static_cast<int>((pos.y() - kHead + verticalScrollBar()->value()) / kRowHeight);
    return row < static_cast<int>(m_rows.size()) ? row : -1;
}

int TapMatrix::columnAt(double x) const {
    const QRectF axis = axisBand();
    if (x < axis.left() || x >= axis.right() || columnCount() < 1) return -1;
    return std::min(columnCount() - 1, static_cast<int>((x - axis.left()) / axis.width() * columnCount()));
}

int TapMatrix::columnOfTap(int tap) const {
    const auto after = std::upper_bound(m_starts.begin(), m_starts.end(), tap);
    return static_cast<int>(after - m_starts.begin()) - 1;
}

QString TapMatrix::textAt(QPoint pos) const {
    const int row = rowAt(pos), column = columnAt(pos.x());
    if (row < 0 || column < 0) return {};
    const int first = m_starts[static_cast<std::size_t>(column)],
              last = m_starts[static_cast<std::size_t>(column) + 1] - 1;
    const TapCell cell = columnCell(row, column);
    const auto tapName = [&](int i) { return QString::fromStdString(m_taps[static_cast<std::size_t>(i)]); };
    QString name = tapName(first);
    if (last > first)
        name = cell.tap >= 0 && cell.compared
                   ? QString::fromStdString(m_rows[static_cast<std::size_t>(row)]
                                                .comparison->pairs[static_cast<std::size_t>(cell.tap)]
                                                .name)
                   : tr("%1 to %2").arg(tapName(first), tapName(last));
    if (last > first) name += tr(" (worst of %1)").arg(last - first + 1);
    const QString head = QStringLiteral("%1\n%2\n").arg(m_rows[static_cast<std::size_t>(row)].name, name);
    if (cell.absent) return head + tr("not in this candidate");
    if (!cell.compared) return head + tr("not compared yet");
    return head + tr("relative rms error %1\n%2")
                      .arg(num::error(cell.relativeError),
                           QString::fromUtf8(toString(cell.verdict).data()).toUpper());
}

void TapMatrix::choose(int row, int tap) {
    if (row < 0 || row >= static_cast<int>(m_rows.size())) return;
    if (row == m_row && tap == m_tap) return;
    setCurrent(row, tap);
    const auto& cells = m_cells[static_cast<std::size_t>(m_row)];
    emit currentChanged(m_row, m_tap >= 0 ? cells[static_cast<std::size_t>(m_tap)].tap : -1);
}

void TapMatrix::mousePressEvent(QMouseEvent* event) {
    const int row = rowAt(event->position()), column = columnAt(event->position().x());
    if (event->button() != Qt::LeftButton || row < 0) return;
    int tap = m_tap;
    if (column >= 0) {
        // A merged column means its worst tap.
        const TapCell cell = columnCell(row, column);
        tap = m_starts[static_cast<std::size_t>(column)];
        for (int i = tap; i < m_starts[static_cast<std::size_t>(column) + 1]; ++i)
            if (cell.tap >= 0 &&
                m_cells[static_cast<std::size_t>(row)][static_cast<std::size_t>(i)].tap == cell.tap)
                tap = i;
    }
    choose(row, tap);
}

// The base ignores it, and an ignored release goes on to the widgets below.
void TapMatrix::mouseReleaseEvent(QMouseEvent* event) {
    event->accept();
}

void TapMatrix::keyPressEvent(QKeyEvent* event) {
    int row = std::max(0, m_row), tap = std::max(0, m_tap);
    switch (event->key()) {
    case Qt::Key_Left:
        tap = std::max(0, tap - 1);
        break;
    case Qt::Key_Right:
        tap = m_tap < 0 ? 0 : std::min(tapCount() - 1, tap + 1);
        break;
    case Qt::Key_Up:
        row = std::max(0, row - 1);
        break;
    case Qt::Key_Down:
        row = m_row < 0 ? 0 : std::min(static_cast<int>(m_rows.size()) - 1, row + 1);
        break;
    case Qt::Key_Home:
        tap = 0;
        break;
    case Qt::Key_End:
        tap = tapCount() - 1;
        break;
    default:
        return QAbstractScrollArea::keyPressEvent(event);
    }
    if (tapCount() == 0) tap = -1;
    choose(row, tap);
}

bool TapMatrix::viewportEvent(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = textAt(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void TapMatrix::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    layoutColumns();
}

void TapMatrix::changeEvent(QEvent* event) {
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) viewport()->update();
}

} // namespace divdet
