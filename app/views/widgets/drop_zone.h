#pragma once
#include <QStringList>
#include <QWidget>

class QMimeData;

namespace divdet {

/// Which side a dropped file is for: one file goes to the half it is dropped on, several in the order given.
enum class DropSide { automatic, reference, candidate };

/// Local paths of a drag, in the order the file manager gives them; empty when there are none.
QStringList droppedPaths(const QMimeData* data);

/// The empty state of Compare: takes files and folders, says where they go while they hang over it.
class DropZone : public QWidget {
    Q_OBJECT
public:
    explicit DropZone(QWidget* parent = nullptr); ///< objectName "dropZone"

    /// "Drop two files here" and the sentence below it.
    void setTexts(const QString& title, const QString& sentence);

    /// The half a single file at `x` is for.
    DropSide sideAt(double x) const;

signals:
    void dropped(const QStringList& paths, divdet::DropSide side);
    void browseRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    class Label* m_title;
    class Label* m_sentence;
    QWidget* m_words;
    qsizetype m_hovering = 0; ///< how many files hang over it
    DropSide m_side = DropSide::automatic;
};

} // namespace divdet
