#pragma once
#include <QDialog>
#include <QList>
#include <QString>

class QAction;
class QLabel;
class QLineEdit;
class QWidget;

namespace divdet {

/// The group a shortcut is listed under; set on the action, so that the window is never wrong.
void setShortcutGroup(QAction* action, const QString& group);
/// What the window says instead of the action's own text ("Run or re-run").
void setShortcutText(QAction* action, const QString& text);

/// Non-modal list of every shortcut of `root`'s actions, in two columns with a search.
class ShortcutsDialog : public QDialog {
    Q_OBJECT
public:
    explicit ShortcutsDialog(QWidget* root);

    /// Shown lines, "text\tkeys", for tests.
    QStringList lines() const;

private:
    struct Row {
        QString text, keys;
        QWidget* widget = nullptr;
    };
    struct Group {
        QString title;
        QLabel* head = nullptr;
        QList<Row> rows;
    };
    void collect(QWidget* root);
    QWidget* makeColumns();
    void filter(const QString& text);

    QList<Group> m_groups;
    QLineEdit* m_search = nullptr;
    QLabel* m_none = nullptr;
};

} // namespace divdet
