#include "views/advisor_form.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "gui/number_format.h"
#include "gui/theme.h"
#include "session/lists.h"
#include "views/widgets/label.h"
#include "views/widgets/section_head.h"

namespace divdet {
namespace {

constexpr int kLargestSize = 1 << 24, kLargestSeed = 999'999'999;
constexpr int kSizesPerRow = 2;
constexpr int kWords = 74; ///< px: fields of all groups stand below each other

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QStringList texts(const std::vector<std::string>& all) {
    QStringList out;
    for (const std::string& s : all) out << text(s);
    return out;
}

void showChoice(QComboBox* combo, const std::string& value) {
    int index = combo->findData(text(value));
    if (index < 0) { // a wish of the command line: it stays readable, and the advisor says what is wrong
        combo->addItem(text(value), text(value));
        index = combo->count() - 1;
    }
    combo->setCurrentIndex(index);
}

/// What a size means in the ops that are no block, as `divdet advise --help` has it.
QString sizeTip(const AdviseSize& size) {
    if (size.option == "m")
        return QStringLiteral("Rows of the result (attention: queries; conv: side of the image)");
    if (size.option == "n")
        return QStringLiteral("Columns of the result (attention: keys; conv: output channels)");
    if (size.option == "k")
        return QStringLiteral("Length of the sums or of a row (attention: head size; conv: channels)");
    return text(size.name);
}

} // namespace

AdvisorForm::AdvisorForm(Document* document, QWidget* parent)
    : QWidget(parent)
    , m_document(document) {
    setObjectName(QStringLiteral("advisorForm"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 8, 12, 12);
    column->setSpacing(4);
    makeOp(column);
    makeArithmetic(column);
    makeTest(column);
    column->addStretch(1);
    AdvisorSide& side = document->advisor();
    connect(&side, &AdvisorSide::requestChanged, this, &AdvisorForm::showRequest);
    connect(&side, &AdvisorSide::adviceChanged, this, &AdvisorForm::showError);
    showRequest();
}

QGridLayout* AdvisorForm::addGroup(QVBoxLayout* column, Group group, const QString& title) {
    if (group != sizes) column->addSpacing(8);
    column->addWidget(new SectionHead(title, this));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(5);
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(0, kWords);
    column->addLayout(grid);
    auto* error = new Label({}, FontStep::caption, Token::outsideFg, this);
    static const char* const kNames[] = {"advisorSizesError", "advisorArithmeticError", "advisorTestError",
                                         "advisorGivenError"};
    error->setObjectName(QString::fromLatin1(kNames[group]));
    error->setWordWrap(true);
    error->hide();
    column->addWidget(error);
    m_errors[group] = error;
    return grid;
}

void AdvisorForm::addRow(QGridLayout* grid, const QString& word, QWidget* field, const QString& tip) {
    const int row = grid->rowCount();
    auto* label = new Label(word, FontStep::body, Token::text2, this);
    label->setBuddy(field);
    label->setToolTip(tip);
    field->setToolTip(tip);
    field->setAccessibleName(word);
    grid->addWidget(label, row, 0);
    grid->addWidget(field, row, 1);
}

QComboBox* AdvisorForm::addCombo(QGridLayout* grid, const QString& word, const QString& name,
                                 const QString& tip, const QStringList& values,
                                 std::string AdviseRequest::*field) {
    auto* combo = new QComboBox(this);
    combo->setObjectName(name);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const QString& value : values) combo->addItem(value, value);
    addRow(grid, word, combo, tip);
    connect(combo, &QComboBox::activated, this, [this, combo, field] {
        const std::string chosen = combo->currentData().toString().toStdString();
        change([&](AdviseRequest& r) { r.*field = chosen; });
    });
    return combo;
}

QLineEdit* AdvisorForm::addNumber(QGridLayout* grid, Group group, const QString& word, const QString& name,
                                  const QString& tip) {
    auto* edit = new QLineEdit(this);
    edit->setObjectName(name);
    edit->setFont(monoFont());
    addRow(grid, word, edit, tip);
    connect(edit, &QLineEdit::textEdited, this, [this, group, edit] {
        setStyleProperty(edit, "invalid", false);
        showMessage(group, {});
    });
    return edit;
}

QSpinBox* AdvisorForm::addWhole(QGridLayout* grid, const QString& word, const QString& name,
                                const QString& tip) {
    auto* spin = new QSpinBox(this);
    spin->setObjectName(name);
    spin->setKeyboardTracking(false);
    spin->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    addRow(grid, word, spin, tip);
    return spin;
}

void AdvisorForm::makeOp(QVBoxLayout* column) {
    QGridLayout* grid = addGroup(column, sizes, tr("What the test runs"));
    QStringList ops = texts(adviseOps());
    m_op = addCombo(grid, tr("Op"), QStringLiteral("advisorOp"), tr("An op, or a block of the live page"),
                    ops, &AdviseRequest::op);
    m_op->insertSeparator(m_op->count());
    for (const BlockInfo& block : listBlocks())
        if (!ops.contains(text(block.id))) {
            m_op->addItem(text(block.id), text(block.id));
            m_op->setItemData(m_op->count() - 1, text(block.title + ": " + block.text), Qt::ToolTipRole);
        }
    // Another op has other sizes, and those of the same letter mean something else.
    disconnect(m_op, &QComboBox::activated, this, nullptr);
    connect(m_op, &QComboBox::activated, this, [this] {
        const std::string chosen = m_op->currentData().toString().toStdString();
        change([&](AdviseRequest& r) {
            if (r.op != chosen) r.op = chosen, r.sizes.clear();
        });
    });
    m_sizeGrid = new QGridLayout;
    m_sizeGrid->setHorizontalSpacing(6);
    m_sizeGrid->setVerticalSpacing(5);
    for (int i = 0; i < kSizesPerRow; ++i) m_sizeGrid->setColumnStretch(2 * i + 1, 1);
    const int row = grid->rowCount();
    grid->addWidget(new Label(tr("Sizes"), FontStep::body, Token::text2, this), row, 0, Qt::AlignTop);
    grid->addLayout(m_sizeGrid, row, 1);
}

void AdvisorForm::makeArithmetic(QVBoxLayout* column) {
    QGridLayout* grid = addGroup(column, arithmetic, tr("Arithmetic and data"));
    m_dtype = addCombo(grid, tr("Operands"), QStringLiteral("advisorDType"),
                       tr("What the operands are rounded to"), texts(adviseDTypes()), &AdviseRequest::dtype);
    m_accumulator =
        addCombo(grid, tr("Accumulator"), QStringLiteral("advisorAccumulator"), tr("What sums are kept in"),
                 texts(adviseAccumulators()), &AdviseRequest::accumulator);
    m_output = addCombo(grid, tr("Output"), QStringLiteral("advisorOutput"),
                        tr("What the result is stored in"), {}, &AdviseRequest::output);
    m_output->addItem(tr("as the operands"), QString());
    for (const QString& output : texts(adviseOutputs())) m_output->addItem(output, output);
    m_inputs =
        addCombo(grid, tr("Data"), QStringLiteral("advisorInputs"), tr("How the inputs are distributed"),
                 texts(listInputKinds()), &AdviseRequest::inputs);
    m_seed = addWhole(grid, tr("Seed"), QStringLiteral("advisorSeed"), tr("Seed of the first draw"));
    m_seed->setRange(0, kLargestSeed);
    connect(m_seed, &QSpinBox::valueChanged, this, [this](int seed) {
        change([&](AdviseRequest& r) { r.seed = static_cast<std::uint64_t>(seed); });
    });
    m_device = addCombo(grid, tr("Device"), QStringLiteral("advisorDevice"), tr("Whose arithmetic"), {},
                        &AdviseRequest::device);
    for (const run::DeviceInfo& device : listDevices(m_document->session())) {
        m_device->addItem(text(device.id), text(device.id));
        const int row = m_device->count() - 1;
        m_device->setItemData(row, text(device.available ? device.title : device.whyNot), Qt::ToolTipRole);
        auto* model = qobject_cast<QStandardItemModel*>(m_device->model());
        if (!device.available && model) model->item(row)->setEnabled(false);
    }
}

void AdvisorForm::makeTest(QVBoxLayout* column) {
    QGridLayout* grid = addGroup(column, test, tr("The test"));
    m_elements = addWhole(grid, tr("Elements"), QStringLiteral("advisorElements"),
                          tr("How many a run of the test compares"));
    m_elements->setRange(0, std::numeric_limits<int>::max());
    m_elements->setSpecialValueText(tr("the whole result"));
    connect(m_elements, &QSpinBox::valueChanged, this,
            [this](int elements) { change([&](AdviseRequest& r) { r.elements = elements; }); });
    m_p = addNumber(grid, test, tr("May fail"), QStringLiteral("advisorP"),
                    tr("How often an honest run may fail: a share such as 1e-6"));
    connect(m_p, &QLineEdit::editingFinished, this, &AdvisorForm::takeP);

    QGridLayout* tolerance = addGroup(column, given, tr("A tolerance to judge"));
    m_rtol = addNumber(tolerance, given, tr("rtol"), QStringLiteral("advisorRtol"),
                       tr("Of the test you have; empty: none is judged"));
    m_atol = addNumber(tolerance, given, tr("atol"), QStringLiteral("advisorAtol"),
                       tr("Of the test you have; empty: 0 where rtol is given"));
    for (QLineEdit* edit : {m_rtol, m_atol}) edit->setPlaceholderText(tr("none"));
    connect(m_rtol, &QLineEdit::editingFinished, this, [this] { takeGiven(m_rtol, &AdviseRequest::rtol); });
    connect(m_atol, &QLineEdit::editingFinished, this, [this] { takeGiven(m_atol, &AdviseRequest::atol); });
}

void AdvisorForm::makeSizes() {
    const AdviseRequest& request = m_document->advisor().request();
    if (m_sizesOf == request.op) return;
    m_sizesOf = request.op;
    while (QLayoutItem* item = m_sizeGrid->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_spins.clear();
    const auto found = adviseSizes(request.op);
    m_sizeList = found ? *found : std::vector<AdviseSize>();
    for (std::size_t i = 0; i < m_sizeList.size(); ++i) {
        const AdviseSize& size = m_sizeList[i];
        auto* spin = new QSpinBox(this);
        spin->setObjectName(QStringLiteral("advisorSize_") + text(size.option));
        spin->setAccessibleName(text(size.name));
        spin->setToolTip(sizeTip(size));
        spin->setKeyboardTracking(false);
        spin->setMinimumWidth(40);
        spin->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        auto* label = new Label(text(size.name), FontStep::body, Token::text2, this);
        label->setBuddy(spin);
        label->setToolTip(spin->toolTip());
        const int row = static_cast<int>(i) / kSizesPerRow, at = 2 * (static_cast<int>(i) % kSizesPerRow);
        m_sizeGrid->addWidget(label, row, at);
        m_sizeGrid->addWidget(spin, row, at + 1);
        // Tab goes through the sizes before it goes on.
        QWidget::setTabOrder(m_spins.isEmpty() ? static_cast<QWidget*>(m_op) : m_spins.last(), spin);
        m_spins << spin;
        connect(spin, &QSpinBox::valueChanged, this, [this, size, spin](int value) {
            // Without a wish the default holds; with a number of elements, m is chosen to fit it.
            const bool automatic = value == 0 || (spin->minimum() > 0 && value == size.value);
            change([&](AdviseRequest& r) {
                if (automatic)
                    r.sizes.erase(size.option);
                else
                    r.sizes[size.option] = value;
            });
        });
    }
    if (!m_spins.isEmpty()) QWidget::setTabOrder(m_spins.last(), m_dtype);
}

void AdvisorForm::takeP() {
    QString why;
    auto p = num::parseTolerance(m_p->text(), &why);
    if (p && !(*p > 0 && *p < 1)) {
        why = tr("“%1” is no share. Write how many honest runs may fail, such as 1e-6.").arg(m_p->text());
        p.reset();
    }
    setStyleProperty(m_p, "invalid", !p);
    showMessage(test, p ? QString() : why);
    if (p) change([&](AdviseRequest& r) { r.p = *p; });
}

void AdvisorForm::takeGiven(QLineEdit* edit, std::optional<double> AdviseRequest::*field) {
    QString why;
    const bool empty = edit->text().trimmed().isEmpty();
    const auto value = empty ? std::nullopt : num::parseTolerance(edit->text(), &why);
    setStyleProperty(edit, "invalid", !empty && !value);
    showMessage(given, why);
    if (empty || value) change([&](AdviseRequest& r) { r.*field = value; });
}

void AdvisorForm::change(const std::function<void(AdviseRequest&)>& edit) {
    if (m_showing) return;
    AdviseRequest request = m_document->advisor().request();
    edit(request);
    m_document->advisor().setRequest(request);
}

void AdvisorForm::showRequest() {
    const AdviseRequest& request = m_document->advisor().request();
    m_showing = true;
    makeSizes();
    showChoice(m_op, request.op);
    const auto ops = adviseOps();
    const bool ownOp = std::find(ops.begin(), ops.end(), request.op) != ops.end();
    for (qsizetype i = 0; i < m_spins.size(); ++i) {
        const AdviseSize& size = m_sizeList[static_cast<std::size_t>(i)];
        const auto own = request.sizes.find(size.option);
        const bool chosen = size.option == "m" && request.elements > 0 && ownOp && request.op != "conv";
        m_spins[i]->setRange(chosen ? 0 : 1, kLargestSize);
        m_spins[i]->setSpecialValueText(chosen ? tr("fits") : QString());
        const std::int64_t value = own != request.sizes.end() ? own->second : chosen ? 0 : size.value;
        m_spins[i]->setValue(static_cast<int>(value));
    }
    showChoice(m_dtype, request.dtype);
    showChoice(m_accumulator, request.accumulator);
    showChoice(m_output, request.output);
    showChoice(m_inputs, request.inputs);
    m_seed->setValue(static_cast<int>(std::min<std::uint64_t>(request.seed, kLargestSeed)));
    if (!request.device.empty()) showChoice(m_device, request.device);
    m_elements->setValue(static_cast<int>(request.elements));
    const auto number = [](QLineEdit* edit, const std::optional<double>& value) {
        if (edit->hasFocus() && edit->property("invalid").toBool()) return; // it is being mended
        setStyleProperty(edit, "invalid", false);
        edit->setText(value ? num::tolerance(*value) : QString());
    };
    number(m_p, request.p);
    number(m_rtol, request.rtol);
    number(m_atol, request.atol);
    m_showing = false;
}

void AdvisorForm::showError() {
    const auto& error = m_document->advisor().error();
    Group group = sizes;
    if (error) {
        const std::string& where = error->path;
        if (where == "--dtype" || where == "--acc" || where == "--out" || where == "--inputs")
            group = arithmetic;
        else if (where == "--p" || where == "--elements")
            group = test;
        else if (where == "--rtol" || where == "--atol" || where == "rtol" || where == "atol")
            group = given;
    }
    for (int each = 0; each < groupCount; ++each) {
        QString words;
        if (error && each == group) {
            words = text(error->message);
            if (!words.isEmpty()) words[0] = words[0].toUpper();
            words += QLatin1Char('.');
            if (!error->hint.empty()) {
                QString hint = text(error->hint);
                hint[0] = hint[0].toUpper();
                words += QLatin1Char(' ') + hint + QLatin1Char('.');
            }
        }
        showMessage(static_cast<Group>(each), words);
    }
}

void AdvisorForm::showMessage(Group group, const QString& text) {
    m_errors[group]->setText(text);
    m_errors[group]->setVisible(!text.isEmpty());
    m_errors[group]->setAccessibleName(text);
}

} // namespace divdet
