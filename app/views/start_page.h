#pragma once
#include <QWidget>

#include "views/widgets/drop_zone.h"

class QVBoxLayout;

namespace divdet {

/// Compare with nothing to compare: where to drop files, and the pairs of before.
class StartPage : public QWidget {
    Q_OBJECT
public:
    explicit StartPage(QWidget* parent = nullptr);

    /// With a reference alone it asks for the candidate.
    void setReference(const QString& name);
    void refreshRecent();

signals:
    void dropped(const QStringList& paths, divdet::DropSide side);
    void browseRequested();
    void livePageRequested();

private:
    QWidget* makeTile(const QString& icon, const QString& title, const QString& text,
                      class QPushButton* button);

    DropZone* m_zone;
    QWidget* m_recent;
    QVBoxLayout* m_recentLines;
};

} // namespace divdet
