#include "views/element_inspector.h"

#include <QGridLayout>
#include <QLineEdit>
#include <QVBoxLayout>
#include <cmath>

#include "compare/element_bound.h"
#include "gui/number_format.h"
#include "views/verdict_text.h"
#include "views/widgets/label.h"
#include "views/widgets/section_head.h"

namespace divdet {
namespace {

QString exactly(double value, DType type) {
    return type == DType::f64 ? num::fullPrecision(value) : num::fullPrecision(static_cast<float>(value));
}

QString indexText(std::int64_t flat, const Shape& shape) {
    return shape.empty() ? QStringLiteral("0") : num::index(unravel(flat, shape));
}

} // namespace

ElementInspector::ElementInspector(Document* document, Selection* live, Selection* files, QWidget* parent)
    : QWidget(parent)
    , m_document(document)
    , m_live(live)
    , m_files(files)
    , m_head(new SectionHead(tr("Element"), this))
    , m_job(this, [this](Outcome outcome) { take(std::move(outcome)); })
    , m_search(this, [this](Result<std::int64_t> found) {
        if (found && *found >= 0) selection()->select(selection()->tap(), *found);
    }) {
    setObjectName(QStringLiteral("elementInspector"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    m_index = makeField();
    m_error = new Label({}, FontStep::caption, Token::outsideFg, this);
    m_error->setObjectName(QStringLiteral("elementError"));
    m_error->setWordWrap(true);
    m_values = new QWidget(this);
    m_grid = new QGridLayout(m_values);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(0, 1);
    column->addWidget(m_head);
    column->addWidget(m_index);
    column->addWidget(m_error);
    column->addWidget(m_values);
    // An element that was asked for meanwhile answers for itself.
    connect(&m_job, &LatestJobBase::failed, this, [this](const QString& message) {
        if (!m_job.running())
            take({m_summary, m_wanted, Error{ErrorCode::internal, message.toStdString(), {}, {}}});
    });
    connect(&m_search, &LatestJobBase::failed, this, [this](const QString& message) {
        m_error->setText(message);
        m_error->show();
    });
    const auto mine = [this](Side side) { return side == m_document->side(); };
    connect(document, &Document::resultChanged, this, [this, mine](Side side) {
        if (mine(side)) showTap();
    });
    connect(document, &Document::toleranceChanged, this, [this, mine](Side side) {
        if (mine(side)) showLines();
    });
    connect(document, &Document::sideChanged, this, &ElementInspector::showTap);
    for (Selection* each : {live, files})
        connect(each, &Selection::changed, this, [this, each] {
            if (each == selection()) showTap();
        });
    showTap();
}

QLineEdit* ElementInspector::makeField() {
    auto* field = new QLineEdit(this);
    field->setObjectName(QStringLiteral("elementIndex"));
    field->setAccessibleName(tr("Index of the element"));
    field->setToolTip(tr("The element's index: [47, 104], or its number counted row by row"));
    field->setFont(monoFont());
    connect(field, &QLineEdit::returnPressed, this, &ElementInspector::typed);
    return field;
}

Selection* ElementInspector::selection() const {
    return m_document->side() == Side::live ? m_live : m_files;
}

const TapPair* ElementInspector::pair() const {
    const auto& comparison = m_document->judged(m_document->side()).comparison();
    if (!comparison) return nullptr;
    for (const TapPair& p : comparison->pairs)
        if (QString::fromStdString(p.name) == selection()->tap()) return &p;
    return nullptr;
}

void ElementInspector::selectLater(const QString& index) {
    m_later = index;
    showTap();
}

void ElementInspector::showTap() {
    const TapPair* p = pair();
    const bool usable = p && p->summary && p->summary->elements > 0;
    setVisible(usable);
    if (!usable) {
        m_facts.reset();
        m_summary.reset();
        return;
    }
    if (!m_later.isEmpty()) {
        m_index->setText(std::exchange(m_later, {}));
        if (const qint64 before = selection()->element(); typed(), selection()->element() != before) return;
    }
    qint64 wanted = selection()->element();
    const bool chosen = wanted >= 0;
    if (!chosen) wanted = std::max<std::int64_t>(0, p->summary->maxAbs.index);
    m_head->setSubtitle(QString::fromStdString(p->name));
    m_head->setCaption(chosen ? QString() : tr("worst"));
    m_index->setText(indexText(wanted, p->referenceShape));
    m_error->hide();
    // Classes that arrive for the same numbers need no second look at the elements.
    if (m_summary == p->summary && m_wanted == wanted) return showFacts();
    m_summary = p->summary;
    read(wanted);
}

void ElementInspector::read(qint64 index) {
    m_wanted = index;
    m_facts.reset();
    m_problem.clear();
    m_job.request([copy = *pair(), index](const Progress&) {
        return Outcome{copy.summary, index, elementFacts(copy, index)};
    });
}

void ElementInspector::take(Outcome outcome) {
    if (outcome.of != m_summary || outcome.index != m_wanted) return;
    if (outcome.facts)
        m_facts = *outcome.facts;
    else
        m_problem = QString::fromStdString(outcome.facts.error().message);
    showFacts();
}

void ElementInspector::showFacts() {
    showLines();
    if (m_facts) emit shown(m_facts->reference, m_facts->candidate, selection()->element() >= 0);
}

void ElementInspector::typed() {
    const TapPair* p = pair();
    if (!p) return;
    QString why;
    const auto index = parseIndex(m_index->text(), p->referenceShape, &why);
    m_error->setText(why);
    m_error->setVisible(!index);
    if (index) selection()->select(selection()->tap(), *index);
}

void ElementInspector::showLines() {
    m_lines.clear();
    const TapPair* p = pair();
    if (!m_facts && !m_problem.isEmpty()) {
        m_error->setText(m_problem);
        m_error->show();
    }
    if (p && m_facts) {
        const ElementFacts& e = *m_facts;
        const double error = std::fabs(e.difference);
        m_lines = {{tr("reference"), exactly(e.reference, p->referenceDType), {}},
                   {tr("candidate"), exactly(e.candidate, p->candidateDType), {}},
                   {tr("difference"), num::error(e.difference), tr("candidate − reference")}};
        if (e.reference != 0 && std::isfinite(error))
            m_lines.push_back({tr("relative"), num::error(error / std::fabs(e.reference)),
                               tr("|difference| / |reference|")});
        if (e.ulps)
            m_lines.push_back({tr("ulps"), num::ulps(*e.ulps), tr("steps of the coarser of the two types")});
        const Tolerance t = p->own ? *p->own : m_document->settings().tolerance(m_document->side()).tolerance;
        if (const auto limit = elementBound(t, std::fabs(e.reference))) {
            const bool passed = std::isfinite(error) ? error <= *limit : passes(t, e.candidate, e.reference);
            m_lines.push_back({tr("tolerance"), num::error(*limit),
                               tr("what |difference| may be here at %1").arg(toleranceText(t))});
            m_lines.push_back({tr("at this tolerance"), passed ? tr("passes") : tr("fails"), {}});
        }
        if (const auto judged = judgedElement(*p, e.index)) {
            m_lines.push_back({tr("exact"), exactly(judged->exact, DType::f32),
                               tr("the declared arithmetic without rounding, on the inputs the op read")});
            m_lines.push_back({tr("may be off by"), num::error(judged->bound),
                               tr("hard bound of the declared arithmetic around the exact value")});
        }
    }
    while (m_cells.size() < m_lines.size()) {
        const int row = static_cast<int>(m_cells.size());
        auto* label = new Label({}, FontStep::caption, Token::text2, m_values);
        auto* value = new Label({}, FontStep::caption, Token::text1, m_values);
        value->setFont(monoFont(FontStep::caption));
        value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(label, row, 0);
        m_grid->addWidget(value, row, 1, Qt::AlignRight);
        m_cells.emplace_back(label, value);
    }
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const bool used = i < m_lines.size();
        m_cells[i].first->setVisible(used);
        m_cells[i].second->setVisible(used);
        if (!used) continue;
        m_cells[i].first->setText(m_lines[i].label);
        m_cells[i].first->setToolTip(m_lines[i].note);
        m_cells[i].second->setText(m_lines[i].value);
        m_cells[i].second->setToolTip(m_lines[i].note);
        m_cells[i].second->setAccessibleName(m_lines[i].label + QLatin1Char(' ') + m_lines[i].value);
    }
}

void ElementInspector::findInBin(int column, int row) {
    const TapPair* p = pair();
    if (!p || !p->load) return;
    m_search.request([copy = *p, column, row](const Progress& progress) {
        return firstInBin(copy, column, row, progress);
    });
}

} // namespace divdet
