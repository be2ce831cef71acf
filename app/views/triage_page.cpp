#include "views/triage_page.h"

#include <QGridLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <optional>
#include <vector>

#include "views/widgets/buttons.h"
#include "views/widgets/card.h"
#include "views/widgets/icon_view.h"
#include "views/widgets/label.h"

namespace divdet {
namespace {

struct Step {
    const char *word, *icon;
    std::optional<Page> page; ///< none: another tool's work
    const char* text;
};
struct Symptom {
    const char *id, *title, *text;
    std::vector<Step> steps;
};

const std::vector<Symptom>& symptoms() {
    static const std::vector<Symptom> all = {
        {"wrong",
         "Numbers are wrong",
         "A test fails, or two dumps differ.",
         {{"Compare", "compare", Page::compare,
           "Against a reference, at a tolerance: drift or a bug, and at which tap first."},
          {"Hunt", "hunt", Page::hunt, "Which pass, which op, and the smallest case."}}},
        {"accuracy",
         "Tests pass, but accuracy fell",
         "No element is far off, the task is worse.",
         {{"Live block", "live", Page::live,
           "Set limits of the task metric; look at channels in the map and the histogram."},
          {"Advisor", "advisor", Page::advisor, "Is the tolerance blind to the fault?"}}},
        {"replay",
         "Wrong only when replayed",
         "The first call is right, a later one is not.",
         {{"Stages", "layers", Page::stages,
           "The stage that disagrees first. Replay means a stale buffer or address, not maths."}}},
        {"slow",
         "Slow since it was compiled",
         "Steps take long, or some of them do.",
         {{"Logs", "log", Page::logs, "Recompile storms and graph breaks, with what to change."}}},
        {"varies",
         "Differs from run to run",
         "The same input gives other bits.",
         {{"Determinism", "dice", Page::determinism,
           "First of all: hunts and tolerances mean little before it is steady."},
          {"Hunt", "hunt", Page::hunt, "Answers that vary are repeated until they are sure."}}},
        {"tolerance",
         "Which tolerance may a test have?",
         "Nothing is wrong yet.",
         {{"Advisor", "advisor", Page::advisor,
           "From sizes and dtypes: how often honest runs fail, which faults are caught."}}},
        {"profile",
         "Right, steady, and still slow",
         "No storm in the log.",
         {{"A profiler", "clock", std::nullopt,
           "That is not this tool's work: measure where the time goes."}}},
    };
    return all;
}

} // namespace

TriagePage::TriagePage(QWidget* parent)
    : QWidget(parent) {
    setObjectName(QStringLiteral("triagePage"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* chart = new QWidget(scroll);
    auto* grid = new QGridLayout(chart);
    grid->setContentsMargins(16, 14, 16, 16);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(8);
    grid->addWidget(new Label(tr("What do you see?"), FontStep::card, Token::text1, chart), 0, 0);
    grid->addWidget(new Label(tr("Where to look first"), FontStep::card, Token::text1, chart), 0, 2);
    grid->addWidget(new Label(tr("And then"), FontStep::card, Token::text1, chart), 0, 4);
    for (const int column : {0, 2, 4}) grid->setColumnStretch(column, 1);
    int row = 1;
    for (const Symptom& symptom : symptoms()) {
        const Card card = makeCard(tr(symptom.title), chart);
        card.head->addStretch(1);
        auto* words = new Label(tr(symptom.text), FontStep::body, Token::text2, card.frame);
        words->setWordWrap(true);
        card.column->addWidget(words);
        card.column->addStretch(1);
        grid->addWidget(card.frame, row, 0);
        int column = 1;
        for (const Step& step : symptom.steps) {
            grid->addWidget(new IconView(QStringLiteral("right"), Token::text3, 16, chart), row, column);
            const Card to = makeCard({}, chart);
            auto* button =
                makeButton(tr(step.word), step.page ? ButtonKind::standard : ButtonKind::quiet, to.frame,
                           QStringLiteral("triage_%1_%2").arg(QLatin1String(symptom.id)).arg(column / 2),
                           QString::fromLatin1(step.icon));
            button->setEnabled(step.page.has_value());
            button->setAccessibleDescription(tr(step.text));
            if (step.page)
                connect(button, &QPushButton::clicked, this,
                        [this, page = *step.page] { emit pageRequested(page); });
            to.head->addWidget(button);
            to.head->addStretch(1);
            auto* why = new Label(tr(step.text), FontStep::body, Token::text2, to.frame);
            why->setWordWrap(true);
            to.column->addWidget(why);
            to.column->addStretch(1);
            grid->addWidget(to.frame, row, column + 1);
            column += 2;
        }
        ++row;
    }
    grid->setRowStretch(row, 1);
    scroll->setWidget(chart);
    outer->addWidget(scroll);
}

} // namespace divdet
