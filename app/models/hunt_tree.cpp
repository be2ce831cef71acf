#include "models/hunt_tree.h"

#include "gui/theme.h"

namespace divdet {
namespace {

constexpr int kAnswerRole = Qt::UserRole + 1;

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

} // namespace

Token answerToken(hunt::Answer answer) {
    switch (answer) {
    case hunt::Answer::good:
        return Token::withinFg;
    case hunt::Answer::bad:
        return Token::outsideFg;
    case hunt::Answer::unresolved:
        break;
    }
    return Token::inconFg;
}

QString answerWord(hunt::Answer answer) {
    const std::string_view word = toString(answer);
    return QString::fromUtf8(word.data(), static_cast<qsizetype>(word.size()));
}

HuntTree::HuntTree(QObject* parent)
    : QStandardItemModel(parent) {
    restart();
    connect(&Theme::current(), &Theme::changed, this, &HuntTree::paint);
}

void HuntTree::restart() {
    clear();
    setColumnCount(ColumnCount);
    setHorizontalHeaderLabels({tr("Tried"), tr("Answer"), tr("Among"), tr("Run")});
    m_parent = m_waiting = m_newest = nullptr;
    m_first = m_last = m_items = 0;
}

QList<QStandardItem*> HuntTree::addRow(const QString& tried) {
    QList<QStandardItem*> row;
    for (int i = 0; i < ColumnCount; ++i) {
        row << new QStandardItem;
        row.last()->setEditable(false);
    }
    row[Tried]->setText(tried);
    row[Tried]->setToolTip(tried);
    (m_parent ? m_parent : invisibleRootItem())->appendRow(row);
    m_newest = row[Tried];
    return row;
}

void HuntTree::take(const hunt::HuntEvent& event) {
    if (event.kind == hunt::HuntEvent::Kind::starting) {
        if (!m_waiting) m_waiting = addRow(text(event.line)).first();
        m_waiting->setText(text(event.line));
        const int row = m_waiting->row();
        auto* parent = m_waiting->parent() ? m_waiting->parent() : invisibleRootItem();
        parent->child(row, Answer)->setText(tr("running…"));
        parent->child(row, Run)->setText(QString::number(event.runs + 1));
        m_newest = m_waiting;
        return;
    }
    if (event.answer) return showAnswer(event);
    addRow(text(event.line))[Answer]->setText(tr("note"));
}

void HuntTree::showAnswer(const hunt::HuntEvent& event) {
    if (!m_waiting) m_waiting = addRow({}).first(); // answered from what was known
    const QString line = text(event.line);
    const qsizetype colon = line.indexOf(QLatin1String(": "));
    m_waiting->setText(line.left(colon));
    m_waiting->setToolTip(line);
    auto* parent = m_waiting->parent() ? m_waiting->parent() : invisibleRootItem();
    const int row = m_waiting->row();
    QStandardItem* answer = parent->child(row, Answer);
    answer->setText(colon < 0 ? answerWord(*event.answer) : line.mid(colon + 2));
    answer->setToolTip(answer->text());
    answer->setData(static_cast<int>(*event.answer), kAnswerRole);
    answer->setForeground(color(answerToken(*event.answer)));
    m_items = std::max(m_items, event.last - event.first);
    if (event.last > event.first && event.last - event.first < m_items)
        parent->child(row, Suspects)
            ->setText(event.last - event.first == 1 ? QString::number(event.first + 1)
                                                    : tr("%1–%2").arg(event.first + 1).arg(event.last));
    if (parent->child(row, Run)->text().isEmpty()) parent->child(row, Run)->setText(tr("known"));
    // Before the search itself nothing is narrowed.
    if (m_last > 0 && (event.first != m_first || event.last != m_last)) m_parent = m_waiting;
    m_first = event.first, m_last = event.last;
    m_newest = m_waiting;
    m_waiting = nullptr;
}

void HuntTree::stop() {
    if (!m_waiting) return;
    auto* parent = m_waiting->parent() ? m_waiting->parent() : invisibleRootItem();
    parent->child(m_waiting->row(), Answer)->setText(tr("stopped"));
    m_waiting = nullptr;
}

QModelIndex HuntTree::newest() const {
    return m_newest ? m_newest->index() : QModelIndex();
}

void HuntTree::paint() {
    const auto each = [](auto&& self, QStandardItem* parent) -> void {
        for (int row = 0; row < parent->rowCount(); ++row) {
            QStandardItem* answer = parent->child(row, Answer);
            if (const QVariant kind = answer->data(kAnswerRole); kind.isValid())
                answer->setForeground(color(answerToken(static_cast<hunt::Answer>(kind.toInt()))));
            self(self, parent->child(row, Tried));
        }
    };
    each(each, invisibleRootItem());
}

} // namespace divdet
