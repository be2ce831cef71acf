#pragma once
#include <QAbstractTableModel>
#include <memory>

#include "compare/comparison.h"

namespace divdet {

/// The taps of a comparison in depth order, with their verdicts at one tolerance. Rows are Comparison::pairs.
class TapsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Columns {
        Number,
        Tap,
        Op,
        DTypeColumn,
        ShapeColumn,
        MaxAbs,
        MaxRel,
        MaxUlp,
        OverTol,
        VerdictColumn,
        NeedsRtol,
        RelRms,
        ZRms,  ///< distance from the envelope, in standard deviations
        Bound, ///< distance from what the declared arithmetic allows
        ClassColumn,
        ColumnCount
    };
    enum Roles {
        SortRole = Qt::UserRole, ///< double or QString; NaN for what is not known, and sorts last
        CopyRole,                ///< full precision, for the clipboard
        JudgedRole,              ///< bool
        BadRole,                 ///< bool: over the tolerance, or not comparable
        BarRole,     ///< 0 … 1: place of the value on the column's log scale; invalid where there is no bar
        ToneRole,    ///< Verdict as int, on the verdict column of taps that show one
        PendingRole, ///< bool: to be compared yet
        ClassRole,   ///< PairClass as int; invalid while it is not known
        FirstFaultRole ///< bool: the first tap that is a bug, or unclear where none is
    };
    explicit TapsModel(QObject* parent = nullptr);

    /// `judgement` belongs to `comparison`. While a run goes on, snapshots of the same taps keep rows and
    /// selection. `classesPending`: classes, z and bounds are still being settled and none is shown.
    void setData(std::shared_ptr<const Comparison> comparison, std::shared_ptr<const Judgement> judgement,
                 bool classesPending = false);
    /// Another tolerance: only the columns that depend on it change.
    void setJudgement(std::shared_ptr<const Judgement> judgement);
    using QAbstractTableModel::setData;

    const std::shared_ptr<const Comparison>& comparison() const { return m_comparison; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const TapVerdict* verdictOf(int row) const;
    QString text(const TapPair& pair, int row, int column) const;
    QString countText(const TapPair& pair, int row) const;
    QString verdictWord(const TapPair& pair, int row) const;
    QVariant sortKey(const TapPair& pair, int row, int column) const;
    double number(const TapPair& pair, int column) const;
    QVariant classKey(const TapPair& pair) const;
    QString tip(const TapPair& pair, int row, int column) const;
    void findScale();

    std::shared_ptr<const Comparison> m_comparison;
    std::shared_ptr<const Judgement> m_judgement;
    bool m_classesPending = false;
    int m_firstFault = -1;
    double m_barLow[2] = {-9, -9}, m_barHigh[2] = {0, 0}; ///< log10 of max abs, rel rms over all taps
};

} // namespace divdet
