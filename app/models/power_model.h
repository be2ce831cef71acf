#pragma once
#include <QAbstractTableModel>
#include <memory>

#include "session/advise/advise.h"

namespace divdet {

/// The faults of the table and the share of their runs that a tolerance catches, in the advice's order.
class PowerModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Columns { Fault, Caught, ByGiven, Runs, Remark, ColumnCount };
    enum Roles {
        ShareRole = Qt::UserRole, ///< 0 … 1 on Caught and ByGiven; else invalid
        StateRole                 ///< State as int, where there is a share
    };
    /// Of the runs in which a fault changes something; no tolerance sees the others.
    enum State { FullyCaught, SometimesCaught, Missed };
    using QAbstractTableModel::QAbstractTableModel;

    void setData(std::shared_ptr<const Advice> advice);
    using QAbstractTableModel::setData;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVariant state(const FaultPower& fault, int column) const;
    QVariant share(const FaultPower& fault, int column) const;
    QString text(const FaultPower& fault, int column) const;

    std::shared_ptr<const Advice> m_advice;
};

} // namespace divdet
