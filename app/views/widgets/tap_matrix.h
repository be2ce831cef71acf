#pragma once
#include "models/tap_columns.h"
#include <QAbstractScrollArea>
#include <memory>

namespace divdet {

/// Candidates × taps: one row per candidate, one column per tap in depth order. Above 400 taps, or where a
/// column would be narrower than 2 px, a column stands for several and the worst wins. Not compared yet is
/// hatched. More than eight candidates scroll.
class TapMatrix : public QAbstractScrollArea {
    Q_OBJECT
public:
    enum class ColourBy { relativeError, verdict };
    struct Row {
        QString name;
        std::shared_ptr<const Comparison> comparison; ///< null: nothing compared yet
        std::shared_ptr<const Judgement> judgement;
    };

    explicit TapMatrix(QWidget* parent = nullptr);

    /// Columns are the taps of the first row that has some; the current place is kept where it still exists.
    void setRows(std::vector<Row> rows);
    void setColourBy(ColourBy by);
    ColourBy colourBy() const { return m_by; }
    /// `tap`: place among the columns' taps, -1 for none.
    void setCurrent(int row, int tap);
    int currentRow() const { return m_row; }
    int currentTap() const { return m_tap; }

    int tapCount() const { return static_cast<int>(m_taps.size()); }
    int columnCount() const { return static_cast<int>(m_starts.size()) - 1; }
    TapCell columnCell(int row, int column) const; ///< merged, worst wins
    QRectF cellRect(int row, int column) const;    ///< in the viewport
    QString textAt(QPoint pos) const;              ///< the hover text

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, 90}; }

signals:
    /// Click and arrow keys. `tap` indexes the candidate's Comparison::pairs; -1: it has no such tap.
    void currentChanged(int row, int tap);

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layoutColumns();
    void choose(int row, int tap);
    QRectF band(int row) const;
    QRectF axisBand() const;
    int rowAt(QPointF pos) const;
    int columnAt(double x) const;
    int columnOfTap(int tap) const;
    static constexpr double kVerdictWidth = 110, kCountWidth = 100;
    double rightColumn() const;
    bool showsCount() const { return rightColumn() > kVerdictWidth; }
    void paintRow(QPainter& p, int row) const;
    void paintCells(QPainter& p, int row) const;
    void paintHead(QPainter& p) const;
    void paintScale(QPainter& p) const;

    std::vector<Row> m_rows;
    std::vector<std::string> m_taps;
    std::vector<std::vector<TapCell>> m_cells; ///< per row, parallel to m_taps
    std::vector<int> m_starts{0};
    double m_nameWidth = 120;
    int m_row = -1, m_tap = -1;
    ColourBy m_by = ColourBy::relativeError;
};

} // namespace divdet
