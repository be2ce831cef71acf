#include "views/pass_tree.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <algorithm>

#include "models/pass_model.h"
#include "plots/pass_text.h"
#include "session/lists.h"
#include "views/pass_delegate.h"

namespace divdet {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

/// Of a pass that is on, in its variant; of the others, in their default one. Sizes count: a tail that is
/// dropped needs one.
QMap<QString, QString> reasons(const std::vector<lower::PassInfo>& passes, const RunSettings& run) {
    std::vector<lower::PassChoice> choices;
    for (const lower::PassInfo& pass : passes) {
        const auto on = std::find_if(run.passes.begin(), run.passes.end(),
                                     [&](const lower::PassChoice& p) { return p.id == pass.id; });
        if (on != run.passes.end())
            choices.push_back(*on);
        else
            choices.push_back({pass.id, pass.variants.empty() ? "" : pass.variants.front(), {}});
    }
    const auto why = whyPassesDoNotFit(run.request({}), choices);
    QMap<QString, QString> reasons;
    for (std::size_t i = 0; i < why.size(); ++i)
        if (!why[i].empty())
            reasons.insert(text(choices[i].id), choices[i].id == "dropped-tail" ? PassTree::tr("no tail")
                                                                                : PassTree::tr("no such op"));
    return reasons;
}

} // namespace

PassTree::PassTree(Document* document, QWidget* parent)
    : QTreeView(parent)
    , m_document(document)
    , m_model(new PassModel(this))
    , m_delegate(new PassDelegate(this)) {
    setObjectName(QStringLiteral("passTree"));
    setAccessibleName(tr("Passes"));
    setFrameShape(QFrame::NoFrame);
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setIndentation(0);
    setUniformRowHeights(true);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setItemDelegate(m_delegate);
    setModel(m_model);
    setColumnHidden(PassModel::Variant, true);
    setColumnHidden(PassModel::Needs, true);
    header()->setSectionResizeMode(PassModel::Name, QHeaderView::Stretch);
    header()->setMinimumSectionSize(1);
    connect(m_model, &PassModel::dataChanged, viewport(), qOverload<>(&QWidget::update));
    connect(m_model, &PassModel::passToggled, this,
            [this](const QString& id, bool on) { setChoice(id, on, {}); });
    connect(m_model, &PassModel::variantChosen, this,
            [this](const QString& id, const QString& variant) { setChoice(id, true, variant); });
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
        if (index.isValid() && !index.data(PassModel::GroupRole).toBool())
            emit passSelected(index.data(PassModel::IdRole).toString());
    });
    connect(document, &Document::runSettingsChanged, this, &PassTree::showBlock);
    connect(document, &Document::resultChanged, this, [this](Side side) {
        if (side == Side::live) showLive();
    });
    connect(document, &Document::toleranceChanged, this, [this](Side side) {
        if (side == Side::live) m_model->setTolerance(m_document->settings().live.tolerance);
    });
    showBlock();
}

void PassTree::showBlock() {
    const RunSettings& run = m_document->settings().run;
    const auto passes = listPasses();
    QMap<QString, QString> whyNot = reasons(passes, run);
    if (whyNot != m_whyNot || m_block != run.block) {
        m_block = run.block;
        m_whyNot = whyNot;
        m_model->setPasses(passes, whyNot);
        expandAll();
    }
    m_model->setChoices(run.request({}).passes);
}

void PassTree::showLive() {
    m_model->setLive(m_document->live().complete());
}

void PassTree::selectPass(const QString& id) {
    const QModelIndex index = m_model->indexOf(id);
    if (!index.isValid()) return;
    setCurrentIndex(index);
    scrollTo(index);
}

void PassTree::showAlone(const QString& id) {
    RunSettings run = m_document->settings().run;
    const auto chosen = std::find_if(run.passes.begin(), run.passes.end(),
                                     [&](const lower::PassChoice& p) { return text(p.id) == id; });
    const auto fallback = lower::parsePass(id.toStdString());
    if (chosen == run.passes.end() && !fallback) return;
    run.passes = {chosen == run.passes.end() ? *fallback : lower::PassChoice(*chosen)};
    m_document->setRun(run, tr("%1 alone").arg(id));
}

void PassTree::setChoice(const QString& id, bool on, const QString& variant) {
    RunSettings run = m_document->settings().run;
    const QModelIndex row = m_model->indexOf(id);
    const QString canonical = variant.isEmpty() ? row.data(PassModel::VariantRole).toString() : variant;
    lower::PassChoice choice{id.toStdString(), canonical.toStdString(), {}};
    for (const lower::PassChoice& p : run.passes)
        if (p.id == choice.id) choice.ops = p.ops;
    std::erase_if(run.passes, [&](const lower::PassChoice& p) { return p.id == choice.id; });
    if (on) run.passes.push_back(choice);
    run.passes = inPassOrder(std::move(run.passes));
    m_document->setRun(run, !variant.isEmpty() ? tr("%1: %2").arg(id, variantText(variant))
                            : on               ? tr("Turn on %1").arg(id)
                                               : tr("Turn off %1").arg(id));
}

void PassTree::press(const QModelIndex& index) {
    if (index.data(PassModel::GroupRole).toBool()) return setExpanded(index, !isExpanded(index));
    if (!index.data(PassModel::FitsRole).toBool()) return;
    const bool on = index.data(PassModel::OnRole).toBool();
    m_model->setData(index, QVariant::fromValue(on ? Qt::Unchecked : Qt::Checked), Qt::CheckStateRole);
}

void PassTree::mousePressEvent(QMouseEvent* event) {
    m_pressed = indexAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && m_pressed.isValid()) setCurrentIndex(m_pressed);
    event->accept();
}

void PassTree::mouseReleaseEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    const QModelIndex index = indexAt(at);
    if (event->button() != Qt::LeftButton || !index.isValid() || index != m_pressed) return;
    const QRect row = visualRect(index);
    const QRect variants = m_delegate->variantRect(row, index);
    if (variants.contains(at)) return openVariants(index, viewport()->mapToGlobal(variants.bottomLeft()));
    press(index);
}

void PassTree::keyPressEvent(QKeyEvent* event) {
    const QModelIndex index = currentIndex();
    if (index.isValid() && event->key() == Qt::Key_Space) return press(index);
    if (index.isValid() && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        if (index.data(PassModel::VariantsRole).toStringList().size() > 1)
            return openVariants(index, viewport()->mapToGlobal(visualRect(index).bottomLeft()));
        return press(index);
    }
    QTreeView::keyPressEvent(event);
}

void PassTree::openVariants(const QModelIndex& index, const QPoint& at) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QString chosen = index.data(PassModel::VariantRole).toString();
    QStringList variants = index.data(PassModel::VariantsRole).toStringList();
    if (!variants.contains(chosen)) variants << chosen;
    for (const QString& variant : variants) {
        QAction* action = menu->addAction(variantText(variant));
        action->setCheckable(true);
        action->setChecked(variant == chosen);
        connect(action, &QAction::triggered, this, [this, row = QPersistentModelIndex(index), variant] {
            m_model->setData(row, variant, PassModel::VariantRole);
        });
    }
    menu->popup(at);
}

void PassTree::contextMenuEvent(QContextMenuEvent* event) {
    const QModelIndex index = indexAt(event->pos());
    if (!index.isValid() || index.data(PassModel::GroupRole).toBool()) return;
    const QString id = index.data(PassModel::IdRole).toString();
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QAction* alone = menu->addAction(tr("Show %1 alone").arg(id));
    alone->setEnabled(index.data(PassModel::FitsRole).toBool());
    connect(alone, &QAction::triggered, this, [this, id] { showAlone(id); });
    connect(menu->addAction(tr("Copy id")), &QAction::triggered, this,
            [id] { QApplication::clipboard()->setText(id); });
    menu->popup(event->globalPos());
}

} // namespace divdet
