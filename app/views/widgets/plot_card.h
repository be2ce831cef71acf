#pragma once
#include <QFrame>

class QMenu;
class QToolButton;
class QVBoxLayout;

namespace divdet {

class ElidedLabel;
class FlowLegend;
class Label;

/// The frame of every plot: a head of 26 px (title, subtitle, reset zoom, copy image, more), a legend row,
/// the plot.
class PlotCard : public QFrame {
    Q_OBJECT
public:
    /// objectName "plotCard_<name>"; `title` is shown and is the accessible name.
    PlotCard(const QString& name, const QString& title, QWidget* parent = nullptr);

    QString name() const { return m_name; }
    void setSubtitle(const QString& subtitle);
    FlowLegend* legend() const { return m_legend; }

    /// Takes ownership; replaces what was there.
    void setContent(QWidget* content);
    QWidget* content() const { return m_content; }

    /// The menu behind "more": the page adds export and options.
    QMenu* moreMenu() const { return m_menu; }

    QSize minimumSizeHint() const override { return {160, 110}; }

signals:
    void zoomResetRequested();
    void copyImageRequested();
    /// Double-click on the head: this plot alone, and again: back.
    void soloRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QString m_name;
    QWidget* m_head;
    ElidedLabel* m_subtitle;
    FlowLegend* m_legend;
    QMenu* m_menu;
    QVBoxLayout* m_column;
    QWidget* m_content = nullptr;
};

} // namespace divdet
