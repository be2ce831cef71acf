#pragma once
#include <QWidget>

class QPushButton;
class QToolButton;

namespace divdet {

class PlotArea;

/// Which plots, how many, and the command line of what is shown. Buttons are called plotFaults …, layout1,
/// layout2, commandLineButton.
class PlotStrip : public QWidget {
    Q_OBJECT
public:
    explicit PlotStrip(PlotArea* area, QWidget* parent = nullptr);

signals:
    void commandLineRequested();

private:
    void addToggle(const QString& name, const QString& title);
    void addLayoutButton(int count, const QString& icon);
    void showArrangement();

    PlotArea* m_area;
    QList<QPushButton*> m_toggles;
    QList<QToolButton*> m_layouts;
};

} // namespace divdet
