#pragma once
#include "views/widgets/message_bar.h"

class QVBoxLayout;

namespace divdet {

/// The bars under the toolbar: newest on top, at most three, then a line "and 2 more". Hidden while empty.
class MessageStack : public QWidget {
    Q_OBJECT
public:
    explicit MessageStack(QWidget* parent = nullptr); ///< objectName "messageStack"; bars "messageBar_1" …

    /// Shows a message and tells screen readers; returns its id. A message with the same kind and head as a
    /// shown one replaces that.
    quint64 post(const Message& message);
    void close(quint64 id);
    void clear();
    int count() const { return static_cast<int>(m_entries.size()); }

    /// Alt+M: into the first button of the newest bar. False when there is none.
    bool focusNewest();

signals:
    void countChanged(int count);

private:
    struct Entry {
        quint64 id;
        MessageBar* bar;
    };
    void remove(MessageBar* bar);
    void arrange();

    static constexpr int visibleBars = 3;
    QVBoxLayout* m_column;
    QWidget* m_more;
    class ElidedLabel* m_moreText;
    std::vector<Entry> m_entries; ///< newest first
    quint64 m_lastId = 0;
};

} // namespace divdet
