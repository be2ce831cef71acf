#pragma once
#include <QStandardItemModel>

#include "gui/theme_tokens.h"
#include "hunt/hunt.h"

namespace divdet {

/// The sets that a hunt has tried, as a tree that grows while it runs: what is asked after an answer narrowed
/// the suspects stands below that answer.
class HuntTree : public QStandardItemModel {
    Q_OBJECT
public:
    enum Columns { Tried, Answer, Suspects, Run, ColumnCount }; ///< Suspects: among which items it was
    explicit HuntTree(QObject* parent = nullptr);

    void restart();
    void take(const hunt::HuntEvent& event);
    /// No answer will come to the row that waits for one.
    void stop();

    /// The row that was added or answered last; invalid before the first.
    QModelIndex newest() const;

private:
    QList<QStandardItem*> addRow(const QString& tried);
    void showAnswer(const hunt::HuntEvent& event);
    void paint();

    QStandardItem* m_parent = nullptr;  ///< null: the rows stand at the top
    QStandardItem* m_waiting = nullptr; ///< the row that is being run
    QStandardItem* m_newest = nullptr;
    std::size_t m_first = 0, m_last = 0, m_items = 0;
};

/// Colour and word of an answer.
Token answerToken(hunt::Answer answer);
QString answerWord(hunt::Answer answer);

} // namespace divdet
