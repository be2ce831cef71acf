#pragma once
#include "gui/theme_pass.h"
#include <QWidget>
#include <vector>

namespace divdet {

/// What one entry of a legend looks like.
struct Swatch {
    enum class Kind { fill, outline, hatch, line, pass, marker };
    Kind kind = Kind::fill;
    Token color = Token::text2;
    Token fillColor = Token::text2; ///< fill of `outline` and ground of `hatch`
    QList<qreal> dash;              ///< px, for `line`
    qreal width = 1.8;              ///< px, for `line`
    Marker marker = Marker::none;   ///< for `marker`, and on a `line`

    static Swatch filled(Token color);
    static Swatch outlined(Token color, Token fill);
    static Swatch hatched(Token color, Token ground);
    static Swatch lined(Token color, QList<qreal> dash = {}, qreal width = 1.8);
    static Swatch marked(Marker marker, Token color);
    static Swatch ofPass(const QString& id, const QString& variant = {});
};

/// 14 × 10 px for areas, 24 × 10 px for lines, in the middle of `rect`.
void drawSwatch(QPainter& painter, const QRectF& rect, const Swatch& swatch);
int swatchWidth(const Swatch& swatch);

struct LegendItem {
    QString text;
    Swatch swatch;
};

/// A legend above the plot, flowing to more rows: the axes keep their width and no data is covered.
class FlowLegend : public QWidget {
    Q_OBJECT
public:
    explicit FlowLegend(QWidget* parent = nullptr);
    /// Empty hides the legend.
    void setItems(const std::vector<LegendItem>& items);

private:
    std::vector<QWidget*> m_entries;
};

} // namespace divdet
