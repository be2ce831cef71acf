#pragma once
#include <QObject>
#include <QString>
#include <QStringList>

namespace divdet {

/// The tap (and in it the element) that every view shows, with the way back. One for each side.
class Selection : public QObject {
    Q_OBJECT
public:
    explicit Selection(QObject* parent = nullptr);

    const QString& tap() const { return m_tap; }
    /// Flat, row-major index inside the tap; -1: no element chosen.
    qint64 element() const { return m_element; }

    /// A new place; what lay ahead is forgotten.
    void select(const QString& tap, qint64 element = -1);
    /// Takes `tap` without a step of history: for the start of a page.
    void reset(const QString& tap);

    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_history.size(); }
    void back();
    void forward();

signals:
    void changed();

private:
    struct Place {
        QString tap;
        qint64 element = -1;
    };
    void show(const Place& place);

    QString m_tap;
    qint64 m_element = -1;
    QList<Place> m_history;
    qsizetype m_at = -1;
};

} // namespace divdet
