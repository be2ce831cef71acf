#pragma once
#include <QWidget>

class QPushButton;
class QToolButton;

namespace divdet {

class PlotArea;

/// Which of the area's plots, how many, and the command line of what is shown. Made once all plots are there.
/// Buttons are called plotFaults …, layout1, layout2, commandLineButton.
class PlotStrip : public QWidget {
    Q_OBJECT
public:
    explicit PlotStrip(PlotArea* area, QWidget* parent = nullptr);

    void setNarrow(bool narrow); ///< the command line becomes an icon

signals:
    void commandLineRequested();

private:
    void addToggle(const QString& name, const QString& title);
    void addLayoutButton(int count, const QString& icon);
    void showArrangement();

    PlotArea* m_area;
    QPushButton* m_command = nullptr;
    QList<QPushButton*> m_toggles;
    QList<QToolButton*> m_layouts;
};

} // namespace divdet
