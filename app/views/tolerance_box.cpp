#include "views/tolerance_box.h"

#include <QActionGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <limits>

#include "gui/number_format.h"
#include "gui/theme.h"
#include "views/widgets/buttons.h"
#include "views/widgets/label.h"
#include "views/widgets/section_head.h"
#include "views/widgets/tol_slider.h"

namespace divdet {
namespace {

QString atStart(QString sentence) {
    if (!sentence.isEmpty()) sentence[0] = sentence[0].toUpper();
    return sentence;
}

QString text(std::string_view s) {
    return QString::fromUtf8(s.data(), static_cast<qsizetype>(s.size()));
}

} // namespace

QString ruleText(Rule rule) {
    const RuleInfo& rules = info(rule);
    return text(rules.id) + QStringLiteral("   ") + text(rules.formula);
}

ToleranceBox::ToleranceBox(Document* document, Side side, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_side(side) {
    setObjectName(nameOf("toleranceBox"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 12, 8);
    column->setSpacing(2);
    auto* head = new SectionHead(QStringLiteral("Tolerance"), this);
    m_link = makeButton(QStringLiteral("linked"), ButtonKind::toggle, this, nameOf("linkButton"),
                        QStringLiteral("link"));
    m_link->setToolTip(QStringLiteral("atol follows rtol on the path through the presets bf16 and fp32"));
    head->addWidget(m_link);
    column->addWidget(head);
    m_rtol = makeLine(QStringLiteral("rtol"), column);
    m_atol = makeLine(QStringLiteral("atol"), column);
    m_error = new Label({}, FontStep::caption, Token::outsideFg, this);
    m_error->setObjectName(nameOf("toleranceError"));
    m_error->setWordWrap(true);
    m_error->hide();
    column->addWidget(m_error);
    column->addWidget(makePresets());
    column->addSpacing(4);
    column->addWidget(makeRule());

    connect(m_link, &QPushButton::clicked, this, [this](bool on) {
        set(withLink(current(), on), on ? tr("Link rtol and atol") : tr("Unlink rtol and atol"));
    });
    connect(document, &Document::toleranceChanged, this, [this](Side changed) {
        if (changed == m_side) showSettings(), showNeeded();
    });
    connect(document, &Document::resultChanged, this, [this](Side changed) {
        if (changed == m_side) showNeeded();
    });
    showSettings();
    showNeeded();
}

QString ToleranceBox::nameOf(const char* name) const {
    const QString plain = QString::fromLatin1(name);
    if (m_side == Side::live) return plain;
    return QStringLiteral("compare") + plain.left(1).toUpper() + plain.mid(1);
}

ToleranceBox::Line ToleranceBox::makeLine(const QString& word, QVBoxLayout* column) {
    const bool rtol = word == QLatin1String("rtol");
    Line line;
    auto* row = new QHBoxLayout;
    auto* label = new Label(word, FontStep::body, Token::text1, this);
    line.edit = new QLineEdit(this);
    line.edit->setObjectName(nameOf(rtol ? "rtolEdit" : "atolEdit"));
    line.edit->setFont(monoFont());
    line.edit->setFixedWidth(78);
    line.edit->setAccessibleName(word);
    line.edit->installEventFilter(this);
    label->setBuddy(line.edit);
    row->addWidget(label, 1);
    row->addWidget(line.edit);
    column->addLayout(row);
    line.slider = new TolSlider(word, this);
    line.slider->setObjectName(nameOf(rtol ? "rtolSlider" : "atolSlider"));
    column->addWidget(line.slider);
    connect(line.edit, &QLineEdit::editingFinished, this, [this, rtol] { typed(rtol); });
    connect(line.edit, &QLineEdit::textEdited, this, [this, edit = line.edit] { showError(edit, {}); });
    connect(line.slider, &TolSlider::valueChanged, this, [this, rtol](double value) { slide(rtol, value); });
    connect(line.slider, &TolSlider::released, this, &ToleranceBox::endSlide);
    return line;
}

QWidget* ToleranceBox::makePresets() {
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_more = new QMenu(this);
    for (const TolerancePreset& preset : tolerancePresets()) {
        const QString id = text(preset.id);
        if (id == QLatin1String("bf16") || id == QLatin1String("fp32")) {
            auto* button = makeButton(id, ButtonKind::preset, row, nameOf("preset_") + id);
            button->setToolTip(
                QStringLiteral("rtol %1, atol %2: %3")
                    .arg(num::tolerance(preset.rtol), num::tolerance(preset.atol), text(preset.title)));
            connect(button, &QPushButton::clicked, this, [this, id] { takePreset(id), showSettings(); });
            m_presets << button;
            layout->addWidget(button);
        } else {
            QAction* action =
                m_more->addAction(QStringLiteral("%1   rtol %2  atol %3")
                                      .arg(id, num::tolerance(preset.rtol), num::tolerance(preset.atol)));
            action->setData(id);
            action->setCheckable(true);
            action->setToolTip(text(preset.title));
            connect(action, &QAction::triggered, this, [this, id] { takePreset(id), showSettings(); });
        }
    }
    m_more->setToolTipsVisible(true);
    if (m_side == Side::live) {
        m_sane = makeButton(QStringLiteral("sane"), ButtonKind::preset, row, nameOf("preset_sane"));
        connect(m_sane, &QPushButton::clicked, this,
                [this] { takePreset(QStringLiteral("sane")), showSettings(); });
        layout->addWidget(m_sane);
        connect(&m_document->sane(), &SaneFinder::changed, this, &ToleranceBox::showSane);
    }
    auto* more = makeIconButton(QStringLiteral("more"), QStringLiteral("More presets"), row,
                                nameOf("presetMenuButton"));
    more->setMenu(m_more);
    more->setPopupMode(QToolButton::InstantPopup);
    layout->addWidget(more);
    layout->addStretch(1);
    row->setObjectName(nameOf("presetButtons"));
    return row;
}

QWidget* ToleranceBox::makeRule() {
    auto* box = new QWidget(this);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    auto* row = new QWidget(box);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    m_ruleNote = new Label(QStringLiteral("The plane and the lines are those of allclose."),
                           FontStep::caption, Token::text2, box);
    m_ruleNote->setObjectName(nameOf("ruleNote"));
    m_ruleNote->hide();
    column->addWidget(row);
    column->addWidget(m_ruleNote);
    auto* label = new Label(QStringLiteral("Rule"), FontStep::body, Token::text2, row);
    m_rule = new QComboBox(row);
    m_rule->setObjectName(nameOf("ruleCombo"));
    m_rule->setAccessibleName(QStringLiteral("Rule"));
    m_rule->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const RuleInfo& r : ruleList()) m_rule->addItem(ruleText(r.rule), static_cast<int>(r.rule));
    label->setBuddy(m_rule);
    layout->addWidget(label);
    layout->addWidget(m_rule, 1);
    connect(m_rule, &QComboBox::activated, this, [this](int index) {
        ToleranceSettings next = current();
        next.tolerance.rule = static_cast<Rule>(m_rule->itemData(index).toInt());
        set(next, tr("Rule"));
    });
    return box;
}

void ToleranceBox::set(const ToleranceSettings& next, const QString& what) {
    m_document->setTolerance(m_side, next, what);
}

void ToleranceBox::slide(bool rtol, double value) {
    if (!m_sliding) m_document->beginGesture();
    m_sliding = true;
    set(rtol ? withRtol(current(), value) : withAtol(current(), value), rtol ? tr("rtol") : tr("atol"));
}

void ToleranceBox::endSlide() {
    if (std::exchange(m_sliding, false)) m_document->endGesture();
}

void ToleranceBox::typed(bool rtol) {
    QLineEdit* edit = rtol ? m_rtol.edit : m_atol.edit;
    QString why;
    const auto value = num::parseTolerance(edit->text(), &why);
    showError(edit, value ? QString() : why);
    if (!value) return;
    const Tolerance& now = current().tolerance;
    if (*value == (rtol ? now.rtol : now.atol)) return showSettings();
    set(rtol ? withRtol(current(), *value) : withAtol(current(), *value), rtol ? tr("rtol") : tr("atol"));
}

void ToleranceBox::toggleLink() {
    const bool on = !current().linked;
    set(withLink(current(), on), on ? tr("Link rtol and atol") : tr("Unlink rtol and atol"));
}

void ToleranceBox::stepRtol(int tenths) {
    set(withRtol(current(), TolScale::stepped(current().tolerance.rtol, tenths)), tr("rtol"));
}

void ToleranceBox::takePreset(const QString& id) {
    if (id == QLatin1String("sane")) {
        if (const SaneLine* line = saneLine()) set(withSane(current(), *line), tr("Sane tolerance"));
        return;
    }
    if (const TolerancePreset* preset = findPreset(id.toStdString()))
        set(withPreset(current(), *preset), tr("Preset %1").arg(id));
}

void ToleranceBox::showError(QLineEdit* edit, const QString& why) {
    setStyleProperty(edit, "invalid", !why.isEmpty());
    m_error->setText(why);
    m_error->setVisible(!why.isEmpty());
}

void ToleranceBox::showSettings() {
    const ToleranceSettings& now = current();
    m_link->setChecked(now.linked);
    for (const auto& [line, value] :
         {std::pair(m_rtol, now.tolerance.rtol), std::pair(m_atol, now.tolerance.atol)}) {
        line.edit->setText(num::tolerance(value));
        line.slider->setValue(value);
        setStyleProperty(line.edit, "invalid", false);
    }
    m_error->hide();
    const auto stands = [&now](const QString& id) {
        const TolerancePreset* preset = findPreset(id.toStdString());
        return preset && preset->rule == now.tolerance.rule && preset->rtol == now.tolerance.rtol &&
               preset->atol == now.tolerance.atol;
    };
    for (QPushButton* button : m_presets) button->setChecked(stands(button->text()));
    for (QAction* action : m_more->actions()) action->setChecked(stands(action->data().toString()));
    showSane();
    m_rule->setCurrentIndex(m_rule->findData(static_cast<int>(now.tolerance.rule)));
    m_ruleNote->setVisible(!hasFrontier(now.tolerance.rule));
}

const SaneLine* ToleranceBox::saneLine() const {
    if (m_side != Side::live) return nullptr;
    const auto answer = m_document->sane().answerFor(m_document->live().complete());
    if (!answer) return nullptr;
    const auto& best = answer->chosen(current().tolerance).window.best;
    return best ? &*best : nullptr;
}

void ToleranceBox::showSane() {
    if (!m_sane) return;
    const SaneFinder& finder = m_document->sane();
    const auto answer = finder.answerFor(m_document->live().complete());
    const SaneLine* line = saneLine();
    QString tip;
    if (answer) {
        QStringList lines;
        for (const std::string& s : saneSentences(*answer->runs, answer->chosen(current().tolerance)))
            lines << atStart(QString::fromStdString(s)) + QLatin1Char('.');
        tip = QStringLiteral("<p>") + lines.join(QStringLiteral("</p><p>")) + QStringLiteral("</p>");
    } else if (finder.error()) {
        tip = tr("The sane tolerance was not found: %1").arg(QString::fromStdString(finder.error()->text()));
    } else if (finder.running()) {
        tip = tr("Between drift and bugs: every pass that fits is being run alone %1").arg(finder.progress());
    } else {
        tip =
            tr("Between drift and bugs. It is looked for after each run, unless it is cancelled; F5 runs the "
               "block again");
    }
    m_sane->setToolTip(tip.trimmed());
    m_sane->setEnabled(line != nullptr);
    const Tolerance& now = current().tolerance;
    m_sane->setChecked(line && withSane(current(), *line).tolerance == now);
}

void ToleranceBox::showNeeded() {
    double rtol = std::numeric_limits<double>::quiet_NaN(), atol = rtol;
    const Judged& judged = m_document->judged(m_side);
    if (judged.comparison() && judged.waiting() == 0) {
        const ToleranceSettings& now = current();
        const Comparison& comparison = *judged.comparison();
        if (now.linked) {
            rtol = neededRtolLinked(comparison, now.tolerance);
            atol = linkedAtol(rtol);
        } else {
            rtol = neededRtol(comparison, now.tolerance);
            atol = neededAtol(comparison, now.tolerance);
        }
    }
    m_rtol.slider->setNeeded(rtol);
    m_atol.slider->setNeeded(atol);
}

bool ToleranceBox::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        // Esc takes back what is typed before it cancels anything else.
        const auto* edit = static_cast<QLineEdit*>(watched);
        const double now = edit == m_rtol.edit ? current().tolerance.rtol : current().tolerance.atol;
        if (edit->text() != num::tolerance(now)) return showSettings(), true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace divdet
