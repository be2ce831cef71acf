#pragma once
#include <QMap>
#include <QTreeView>

#include "gui/document.h"

namespace divdet {

class PassDelegate;
class PassModel;

/// Passes in two groups. A click on a row switches the pass; a click on its variant opens the menu.
class PassTree : public QTreeView {
    Q_OBJECT
public:
    explicit PassTree(Document* document, QWidget* parent = nullptr); ///< objectName "passTree"

    void selectPass(const QString& id);
    void showAlone(const QString& id);
    PassModel* passes() const { return m_model; }

signals:
    void passSelected(const QString& id);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override { mousePressEvent(event); }
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void showBlock();
    void showLive();
    void press(const QModelIndex& index);
    void openVariants(const QModelIndex& index, const QPoint& at);
    void setChoice(const QString& id, bool on, const QString& variant);

    Document* m_document;
    PassModel* m_model;
    PassDelegate* m_delegate;
    QPersistentModelIndex m_pressed;
    std::string m_block;
    QMap<QString, QString> m_whyNot; ///< by pass id
};

} // namespace divdet
