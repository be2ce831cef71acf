#pragma once
#include <QAbstractItemModel>
#include <QMap>
#include <memory>
#include <vector>

#include "lower/pass_info.h"
#include "session/run_block.h"

namespace divdet {

/// Every pass in two groups, Drift and Bugs. A check is a wish: it is shown at once and told by passToggled;
/// the run comes from whoever owns the settings.
class PassModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Columns { Name, Variant, Needs, ColumnCount };
    enum Roles {
        IdRole = Qt::UserRole, ///< pass id; group rows: "drift", "bug"
        GroupRole,             ///< bool: a group row
        VariantRole,           ///< the chosen one, canonical; empty when there is only one way
        VariantsRole,          ///< QStringList of all
        FitsRole,              ///< bool
        WhyNotRole,            ///< why it does not fit
        OnRole,                ///< bool
        NeedsRtolRole,         ///< double, of the pass alone at the judged taps; NaN: not known
        OnCountRole,           ///< group rows: how many are on
        OpsRole                ///< QStringList: chosen ops, empty for all
    };
    explicit PassModel(QObject* parent = nullptr);

    /// `whyNot`: id → reason, for passes that do not fit the block.
    void setPasses(std::vector<lower::PassInfo> passes, const QMap<QString, QString>& whyNot = {});
    void setChoices(const std::vector<lower::PassChoice>& choices); ///< those that are on
    void setLive(std::shared_ptr<const LiveResult> live);           ///< needed rtol of each pass alone
    void setTolerance(const Tolerance& tolerance);                  ///< rule and NaN setting change the needs
    std::vector<lower::PassChoice> choices() const;
    QModelIndex indexOf(const QString& id) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& = {}) const override { return ColumnCount; }
    QVariant data(const QModelIndex& index, int role) const override;
    /// Qt::CheckStateRole on Name and VariantRole on any column.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

signals:
    void passToggled(QString id, bool on);
    void variantChosen(QString id, QString variant);

private:
    struct Row {
        lower::PassInfo info;
        QString whyNot;
        bool on = false;
        lower::PassChoice choice;
        double needs;
    };
    struct Group {
        QString id, title;
        std::vector<Row> rows;
    };
    const Row* rowOf(const QModelIndex& index) const;
    QVariant groupData(const Group& group, int column, int role) const;
    void findNeeds();

    std::vector<Group> m_groups;
    std::shared_ptr<const LiveResult> m_live;
    Tolerance m_tolerance;
};

} // namespace divdet
