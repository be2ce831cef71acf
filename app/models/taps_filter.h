#pragma once
#include <QSortFilterProxyModel>

class QTableView;

namespace divdet {

/// Text over name, op, dtype, verdict and class, and "only bad". Sorts by SortRole with unknown and NaN last
/// in both directions; column -1 is depth order.
class TapsFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit TapsFilter(QObject* parent = nullptr);

    void setText(const QString& text);
    void setOnlyBad(bool on);
    bool onlyBad() const { return m_onlyBad; }
    QString text() const { return m_text; }

    /// Over the tolerance, not comparable, or a bug whatever the tolerance.
    static bool isBad(const QModelIndex& index);

    /// Clicks on a header sort up, down, then back to depth order.
    static void setUpHeader(QTableView* view);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    QString m_text;
    bool m_onlyBad = false;
};

} // namespace divdet
