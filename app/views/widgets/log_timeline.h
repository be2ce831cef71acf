#pragma once
#include <QWidget>
#include <memory>

#include "gui/logs_side.h"

namespace divdet {

/// What happened when: a lane per kind of event over the time of the log in seconds. Compiles are as wide as
/// they took, where a trace says so. The pointer names the event next to it.
class LogTimeline : public QWidget {
    Q_OBJECT
public:
    explicit LogTimeline(QWidget* parent = nullptr); ///< objectName "logTimeline"

    void setAnswer(std::shared_ptr<const LogsAnswer> answer);
    QSize sizeHint() const override { return {400, 150}; }
    /// The event drawn nearest to a place; null: none within 8 px.
    const LogEvent* eventAt(const QPointF& at) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF plot() const;
    double x(double seconds) const;
    double lane(LogEvent::Kind kind) const;

    std::shared_ptr<const LogsAnswer> m_answer;
    double m_last = 1; ///< s
};

} // namespace divdet
