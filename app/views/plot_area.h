#pragma once
#include <QList>
#include <QSplitter>
#include <QString>
#include <QStringList>

namespace divdet {

class PlotCard;
class PlotWidget;

/// The plots beside each other: one or two at a time, each in its card. Remembers what stood in each layout.
class PlotArea : public QSplitter {
    Q_OBJECT
public:
    explicit PlotArea(QWidget* parent = nullptr); ///< objectName "plotArea"

    /// The plot becomes the content of `plotCard_<name>`.
    void addPlot(const QString& name, const QString& title, PlotWidget* plot);
    PlotCard* card(const QString& name) const;
    PlotWidget* plot(const QString& name) const;

    /// 1 or 2, as far as there is room.
    int layoutCount() const;
    void setLayoutCount(int count);
    /// Small windows have room for one.
    void setRoom(int plots);
    int room() const { return m_room; }

    /// Names and titles in the order they were added.
    QList<std::pair<QString, QString>> all() const;
    QStringList shown() const;
    void showPlots(const QStringList& names);
    /// Into the layout; the oldest one goes when it is full, or, with `add`, the layout grows.
    void bring(const QString& name, bool add);
    /// The one a menu acts on: under the focus, else the last one brought.
    PlotWidget* active() const;

    /// Legends and subtitles follow what the plots show.
    void refreshLegends();

signals:
    void arrangementChanged();
    void exportRequested(divdet::PlotWidget* plot, const QString& suffix);

private:
    struct Entry {
        QString name, title;
        PlotCard* card;
        PlotWidget* plot;
    };
    const Entry* find(const QString& name) const;
    QStringList& current() { return layoutCount() == 1 ? m_one : m_two; }
    void arrange();

    QList<Entry> m_entries;
    QStringList m_one, m_two; ///< shown in each layout, oldest first
    int m_wanted = 2;
    int m_room = 2;
};

} // namespace divdet
