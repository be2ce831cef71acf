#pragma once
#include <QList>
#include <QWidget>

#include "gui/document.h"
#include "session/lists.h"

class QComboBox;
class QHBoxLayout;
class QSpinBox;
class QToolButton;

namespace divdet {

class ElidedLabel;

/// What runs: block, sizes, inputs, seed, run number, device, reference. Folds to one line in small windows.
class BlockBox : public QWidget {
    Q_OBJECT
public:
    explicit BlockBox(Document* document, QWidget* parent = nullptr); ///< objectName "blockBox"

    void setFolded(bool folded);
    /// Only small windows offer to fold.
    void setFoldable(bool foldable);
    bool folded() const { return m_folded; }

private:
    void makeHead(class QVBoxLayout* column);
    void makeRows(class QVBoxLayout* column);
    QComboBox* addCombo(class QGridLayout* grid, int row, const QString& word, const QString& name);
    QSpinBox* addSeed(const QString& word, const QString& name, const QString& tip);
    void fillDevices();
    void makeSpins();
    const BlockInfo& block() const;
    qint64 dimValue(const BlockInfo::Dim& dim) const;
    void change(const std::function<void(RunSettings&)>& edit, const QString& what);
    void showSettings();

    Document* m_document;
    std::vector<BlockInfo> m_blocks;
    bool m_folded = false;
    bool m_showing = false; ///< widgets follow the settings: what they signal is no wish
    QString m_spinsOf;      ///< block whose dims the spin boxes are
    QToolButton* m_fold = nullptr;
    ElidedLabel* m_summary = nullptr;
    QWidget* m_rows = nullptr;
    QComboBox* m_block = nullptr;
    QWidget* m_sizes = nullptr;
    QList<QSpinBox*> m_spins;
    QComboBox* m_inputs = nullptr;
    QSpinBox* m_seed = nullptr;
    QSpinBox* m_runNumber = nullptr;
    QComboBox* m_device = nullptr;
    QComboBox* m_reference = nullptr;
};

/// "mlp 64 × 512 × 2,048"
QString blockSummary(const RunSettings& run, const BlockInfo& block);

} // namespace divdet
