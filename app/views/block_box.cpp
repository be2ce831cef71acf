#include "views/block_box.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/number_format.h"
#include "views/widgets/buttons.h"
#include "views/widgets/label.h"
#include "views/widgets/section_head.h"

namespace divdet {
namespace {

constexpr int kLargestSize = 1 << 20;
constexpr qsizetype kSizesPerRow = 3; ///< more would have no room for their digits
constexpr int kLargestSeed = 999'999'999;

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

void showChoice(QComboBox* combo, const QString& data) {
    const int index = combo->findData(data);
    if (index >= 0) combo->setCurrentIndex(index);
}

} // namespace

QString blockSummary(const RunSettings& run, const BlockInfo& block) {
    QStringList sizes;
    for (const BlockInfo::Dim& dim : block.dims) {
        const auto own = run.dims.find(dim.name);
        const auto value = own == run.dims.end() ? dim.value : own->second;
        sizes << num::count(static_cast<std::uint64_t>(value));
    }
    return text(block.id) + QLatin1Char(' ') + sizes.join(QStringLiteral(" × "));
}

BlockBox::BlockBox(Document* document, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_blocks(listBlocks()) {
    setObjectName(QStringLiteral("blockBox"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 4, 12, 8);
    column->setSpacing(4);
    makeHead(column);
    makeRows(column);
    connect(document, &Document::runSettingsChanged, this, &BlockBox::showSettings);
    showSettings();
}

void BlockBox::makeHead(QVBoxLayout* column) {
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    m_fold = makeIconButton(QStringLiteral("down"), QStringLiteral("Show or hide the settings of the block"),
                            this, QStringLiteral("foldBlockButton"));
    m_fold->setFixedSize(18, 18);
    connect(m_fold, &QToolButton::clicked, this, [this] { setFolded(!m_folded); });
    m_summary = new ElidedLabel({}, FontStep::body, Token::text1, this);
    row->addWidget(m_fold);
    row->addWidget(new SectionHead(QStringLiteral("Block"), this));
    row->addWidget(m_summary, 1);
    column->addLayout(row);
}

void BlockBox::makeRows(QVBoxLayout* column) {
    m_rows = new QWidget(this);
    auto* grid = new QGridLayout(m_rows);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    m_block = addCombo(grid, 0, QStringLiteral("Block"), QStringLiteral("blockCombo"));
    for (const BlockInfo& block : m_blocks) {
        m_block->addItem(text(block.id), text(block.id));
        m_block->setItemData(m_block->count() - 1, text(block.title + ": " + block.text), Qt::ToolTipRole);
    }
    m_sizes = new QWidget(m_rows);
    auto* sizes = new QVBoxLayout(m_sizes);
    sizes->setContentsMargins(0, 0, 0, 0);
    sizes->setSpacing(4);
    grid->addWidget(new Label(QStringLiteral("Sizes"), FontStep::body, Token::text2, m_rows), 1, 0);
    grid->addWidget(m_sizes, 1, 1);

    m_inputs = addCombo(grid, 2, QStringLiteral("Inputs"), QStringLiteral("inputsCombo"));
    for (const std::string& kind : listInputKinds()) m_inputs->addItem(text(kind), text(kind));
    auto* seeds = new QHBoxLayout;
    seeds->setSpacing(6);
    m_seed = addSeed(QStringLiteral("Seed"), QStringLiteral("seedSpin"), tr("Seed of inputs and weights"));
    m_runNumber = addSeed(
        QStringLiteral("Run number"), QStringLiteral("runNumberSpin"),
        tr("Number of the run: passes that differ from run to run (atomics, race) take it as their seed; "
           "all others give the same bits in every run"));
    seeds->addWidget(m_seed, 1);
    seeds->addWidget(new Label(QStringLiteral("run"), FontStep::body, Token::text2, m_rows));
    seeds->addWidget(m_runNumber, 1);
    grid->addWidget(new Label(QStringLiteral("Seed"), FontStep::body, Token::text2, m_rows), 3, 0);
    grid->addLayout(seeds, 3, 1);

    m_device = addCombo(grid, 4, QStringLiteral("Device"), QStringLiteral("deviceCombo"));
    fillDevices();
    m_reference = addCombo(grid, 5, QStringLiteral("Reference"), QStringLiteral("referenceCombo"));
    m_reference->addItem(QStringLiteral("fp32, sequential order"), QStringLiteral("fp32"));
    m_reference->addItem(QStringLiteral("fp64"), QStringLiteral("fp64"));
    column->addWidget(m_rows);

    connect(m_block, &QComboBox::activated, this, [this] {
        const QString id = m_block->currentData().toString();
        change([&](RunSettings& run) { run.block = id.toStdString(), run.dims.clear(), run.judge = {}; },
               tr("Block"));
    });
    connect(m_inputs, &QComboBox::activated, this, [this] {
        const QString kind = m_inputs->currentData().toString();
        change([&](RunSettings& run) { run.inputs = kind.toStdString(); }, tr("Inputs"));
    });
    connect(m_seed, &QSpinBox::valueChanged, this, [this](int seed) {
        change([&](RunSettings& run) { run.seed = static_cast<std::uint64_t>(seed); }, tr("Seed"));
    });
    connect(m_runNumber, &QSpinBox::valueChanged, this, [this](int number) {
        change([&](RunSettings& run) { run.runNumber = static_cast<std::uint64_t>(number); },
               tr("Run number"));
    });
    connect(m_device, &QComboBox::activated, this, [this] {
        const QString id = m_device->currentData().toString();
        change([&](RunSettings& run) { run.device = id.toStdString(); }, tr("Device"));
    });
    connect(m_reference, &QComboBox::activated, this, [this](int index) {
        change(
            [&](RunSettings& run) { run.reference = index == 1 ? ReferenceKind::fp64 : ReferenceKind::fp32; },
            tr("Reference"));
    });
}

QSpinBox* BlockBox::addSeed(const QString& word, const QString& name, const QString& tip) {
    auto* spin = new QSpinBox(m_rows);
    spin->setObjectName(name);
    spin->setAccessibleName(word);
    spin->setToolTip(tip);
    spin->setRange(0, kLargestSeed);
    spin->setKeyboardTracking(false);
    spin->setMinimumWidth(40);
    spin->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    return spin;
}

QComboBox* BlockBox::addCombo(QGridLayout* grid, int row, const QString& word, const QString& name) {
    auto* label = new Label(word, FontStep::body, Token::text2, m_rows);
    auto* combo = new QComboBox(m_rows);
    combo->setObjectName(name);
    combo->setAccessibleName(word);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    label->setBuddy(combo);
    grid->addWidget(label, row, 0);
    grid->addWidget(combo, row, 1);
    return combo;
}

void BlockBox::fillDevices() {
    for (const run::DeviceInfo& device : listDevices(m_document->session())) {
        const QString twin = device.kind == run::DeviceKind::cpuTwin ? QStringLiteral(" (twin)") : QString();
        m_device->addItem(text(device.id) + twin, text(device.id));
        const int row = m_device->count() - 1;
        m_device->setItemData(row, text(device.available ? device.title : device.whyNot), Qt::ToolTipRole);
        if (device.available) continue;
        auto* model = qobject_cast<QStandardItemModel*>(m_device->model());
        if (model) model->item(row)->setEnabled(false);
    }
    m_device->setEnabled(m_device->count() > 0);
}

const BlockInfo& BlockBox::block() const {
    const std::string& id = m_document->settings().run.block;
    const auto found =
        std::find_if(m_blocks.begin(), m_blocks.end(), [&](const BlockInfo& b) { return b.id == id; });
    return found == m_blocks.end() ? m_blocks.front() : *found;
}

qint64 BlockBox::dimValue(const BlockInfo::Dim& dim) const {
    const auto& dims = m_document->settings().run.dims;
    const auto own = dims.find(dim.name);
    return own == dims.end() ? dim.value : own->second;
}

void BlockBox::makeSpins() {
    const BlockInfo& shown = block();
    if (std::exchange(m_spinsOf, text(shown.id)) == text(shown.id)) return;
    qDeleteAll(std::exchange(m_spins, {}));
    auto* rows = static_cast<QVBoxLayout*>(m_sizes->layout());
    while (QLayoutItem* row = rows->takeAt(0)) delete row;
    for (const BlockInfo::Dim& dim : shown.dims) {
        auto* spin = new QSpinBox(m_sizes);
        spin->setObjectName(text(dim.name) + QStringLiteral("Spin"));
        spin->setAccessibleName(text(dim.name));
        spin->setToolTip(text(dim.name));
        spin->setRange(1, kLargestSize);
        spin->setKeyboardTracking(false);
        spin->setMinimumWidth(40);
        spin->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        if (m_spins.size() % kSizesPerRow == 0) {
            auto* row = new QHBoxLayout;
            row->setSpacing(4);
            rows->addLayout(row);
        }
        rows->itemAt(rows->count() - 1)->layout()->addWidget(spin);
        m_spins << spin;
        connect(spin, &QSpinBox::valueChanged, this, [this, dim](int value) {
            change(
                [&](RunSettings& run) {
                    if (value == dim.value)
                        run.dims.erase(dim.name);
                    else
                        run.dims[dim.name] = value;
                },
                text(dim.name));
        });
    }
}

void BlockBox::change(const std::function<void(RunSettings&)>& edit, const QString& what) {
    if (m_showing) return;
    RunSettings run = m_document->settings().run;
    edit(run);
    m_document->setRun(run, what);
}

void BlockBox::showSettings() {
    const RunSettings& run = m_document->settings().run;
    m_showing = true;
    makeSpins();
    showChoice(m_block, text(run.block));
    const BlockInfo& shown = block();
    for (qsizetype i = 0; i < m_spins.size(); ++i) {
        m_spins[i]->setValue(static_cast<int>(dimValue(shown.dims[static_cast<std::size_t>(i)])));
        // Long numbers get more of a narrow row than short ones.
        auto* row = m_sizes->layout()->itemAt(static_cast<int>(i / kSizesPerRow))->layout();
        static_cast<QHBoxLayout*>(row)->setStretchFactor(
            m_spins[i], 3 + static_cast<int>(m_spins[i]->cleanText().size()));
    }
    showChoice(m_inputs, text(run.inputs));
    m_seed->setValue(static_cast<int>(std::min<std::uint64_t>(run.seed, kLargestSeed)));
    m_runNumber->setValue(static_cast<int>(std::min<std::uint64_t>(run.runNumber, kLargestSeed)));
    showChoice(m_device, text(run.device));
    m_reference->setCurrentIndex(run.reference == ReferenceKind::fp64 ? 1 : 0);
    m_summary->setText(m_folded ? blockSummary(run, shown) : QString());
    m_showing = false;
}

void BlockBox::setFoldable(bool foldable) {
    m_fold->setVisible(foldable);
    setFolded(foldable);
}

void BlockBox::setFolded(bool folded) {
    m_folded = folded;
    m_rows->setVisible(!folded);
    setButtonIcon(m_fold, folded ? QStringLiteral("right") : QStringLiteral("down"));
    showSettings();
}

} // namespace divdet
