#pragma once
#include <QMap>
#include <QWidget>

#include "gui/document.h"
#include "gui/selection.h"

class QLineEdit;
class QMenu;
class QPushButton;
class QTableView;

namespace divdet {

class SectionHead;
class TapsFilter;
class TapsModel;

/// The taps of what is judged on a side: table, filter, only bad. Enter or a click selects the tap.
class TapsPane : public QWidget {
    Q_OBJECT
public:
    TapsPane(Document* document, Selection* selection, Side side,
             QWidget* parent = nullptr); ///< objectName "tapsDock"

    void focusFilter();
    void toggleOnlyBad();
    /// +1 next, −1 previous bad tap from the selected one.
    void stepBad(int direction);
    void copyRow();
    /// Which columns are shown; the caller pops it up, and it deletes itself when it closes.
    QMenu* columnMenu();
    QString csv() const; ///< as shown, with full precision
    TapsModel* model() const { return m_model; }
    QTableView* table() const { return m_table; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* makeHead();
    void makeTable();
    void showResult();
    void showSelection();
    void showHead();
    void fitColumns();
    void tableMenu(const QPoint& at);
    void judgeTap(const QString& name);

    Document* m_document;
    Selection* m_selection;
    Side m_side;
    TapsModel* m_model;
    TapsFilter* m_filter;
    SectionHead* m_head = nullptr;
    QLineEdit* m_search = nullptr;
    QPushButton* m_onlyBad = nullptr;
    QTableView* m_table = nullptr;
    bool m_selecting = false;
    QMap<int, bool> m_chosenColumns; ///< shown or hidden by the user, whatever the width
};

} // namespace divdet
