#pragma once
#include <QWidget>
#include <optional>

#include "determinism/switch_cost.h"

namespace divdet {

/// Time of a run with the switch off and on, in ms from 0: a bar to the median, and a line from the lower to
/// the upper quartile.
class CostBars : public QWidget {
    Q_OBJECT
public:
    explicit CostBars(QWidget* parent = nullptr); ///< objectName "costBars"
    void setCost(const std::optional<SwitchCost>& cost);
    QSize sizeHint() const override { return {420, 92}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::optional<SwitchCost> m_cost;
};

} // namespace divdet
