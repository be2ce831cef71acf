#include <QRegularExpression>

#include <cmath>

#include "gui/document.h"
#include "gui/number_format.h"
#include "lower/pass_info.h"
#include "plots/window.h"
#include "views/notes.h"

namespace divdet {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

/// "the bf16 accumulator", where the variant says what the bug is; else the pass's title in quotes.
QString bugName(const lower::PassChoice& bug) {
    if (bug.id == "wrong-accumulator") return QStringLiteral("the %1 accumulator").arg(text(bug.variant));
    const auto info = lower::findPass(bug.id);
    return QStringLiteral("“%1”").arg(info ? text(info->title) : text(bug.id));
}

QString atStart(QString sentence) {
    if (!sentence.isEmpty()) sentence[0] = sentence[0].toUpper();
    return sentence;
}

QString needs(double rtol) {
    return std::isinf(rtol) ? QStringLiteral("passes at no tolerance")
                            : QStringLiteral("needs rtol ") + num::neededTolerance(rtol);
}

/// "Curves" of bugs that no tolerance tells from drift, in one sentence; empty: there are none.
QString missedSentence(const std::vector<BugWindow>& bugs) {
    for (const BugWindow& bug : bugs)
        if (!bug.window)
            return QLatin1Char(' ') + atStart(QStringLiteral("%1 %2: no tolerance catches it.")
                                                  .arg(bugName(bug.bug), needs(bug.bugNeeds)));
    return {};
}

/// "the fp16 accumulator, “Split-K through BF16” and 3 more"
QString listed(const SaneAnswer& sane, const std::vector<std::size_t>& runs) {
    constexpr std::size_t kNamed = 3;
    QStringList names;
    for (std::size_t i = 0; i < runs.size() && (i < kNamed || runs.size() == kNamed + 1); ++i)
        names << bugName(sane.runs->runs[runs[i]].passes.front());
    const auto more = static_cast<qsizetype>(runs.size()) - names.size();
    if (more > 0) return names.join(QStringLiteral(", ")) + QStringLiteral(" and %1 more").arg(more);
    const QString last = names.takeLast();
    return names.isEmpty() ? last : names.join(QStringLiteral(", ")) + QStringLiteral(" and ") + last;
}

/// The window of all bugs that fit, once it is found.
Note saneNote(Document& document, const SaneAnswer& sane, const SaneScope& scope, const SaneLine& line) {
    std::vector<std::size_t> missed, onCaught, onMissed;
    for (std::size_t i = 0; i < scope.faults.size(); ++i) {
        const bool caught = scope.window.faults[i].separation == Separation::caught;
        const std::size_t run = scope.faults[i];
        const bool on = sane.runs->runs[run].on;
        if (on) (caught ? onCaught : onMissed).push_back(run);
        if (!caught && !on) missed.push_back(run);
    }
    const bool all = &scope == &sane.at(document.settings().live.tolerance).every;
    Note note;
    note.id = QStringLiteral("window");
    note.icon = QStringLiteral("target");
    note.title = QStringLiteral("A window is open");
    note.text = QStringLiteral("From rtol %1 to %2%3 %4 and %5 of the %6 bugs that fit this block fail.")
                    .arg(num::neededTolerance(line.low), num::neededTolerance(line.high),
                         line.onPath() ? QString() : QStringLiteral(", off the linked path,"),
                         all ? QStringLiteral("every drift pass is within")
                             : QStringLiteral("these passes are within"),
                         num::count(line.caught), num::count(scope.faults.size()));
    if (!onCaught.empty())
        note.text += QStringLiteral(" Of those that are on it catches %1.").arg(listed(sane, onCaught));
    if (!onMissed.empty())
        note.text += QStringLiteral(" Of those that are on it misses %1.").arg(listed(sane, onMissed));
    if (!missed.empty())
        note.text += QStringLiteral(" It %1 %2.")
                         .arg(onMissed.empty() ? QStringLiteral("misses") : QStringLiteral("also misses"),
                              listed(sane, missed));
    note.button = QStringLiteral("Set to the middle, %1").arg(num::tolerance(line.middle.rtol));
    note.act = [&document, line] {
        document.setTolerance(Side::live, withSane(document.settings().live, line),
                              QObject::tr("The middle of the window"));
    };
    return note;
}

/// Why nothing is left between honest drift and the bugs.
Note noSaneNote(const SaneAnswer& sane, const SaneScope& scope) {
    Note note;
    note.id = QStringLiteral("window");
    note.icon = QStringLiteral("target");
    note.title = QStringLiteral("No window");
    QString why = text(saneSentences(*sane.runs, scope).front());
    if (why.startsWith(QLatin1String("none: "))) why.remove(0, 6); // the title says it
    note.text = atStart(why) + QLatin1Char('.');
    return note;
}

void addWindow(std::vector<Note>& notes, Document& document) {
    const auto& live = document.live().complete();
    if (!live) return;
    if (const auto sane = document.sane().answerFor(live); sane && !live->request.passes.empty()) {
        const SaneScope& scope = sane->chosen(document.settings().live.tolerance);
        const auto& line = scope.window.best;
        notes.push_back(line ? saneNote(document, *sane, scope, *line) : noSaneNote(*sane, scope));
        return;
    }
    const std::vector<BugWindow> bugs = bugWindows(*live, document.settings().live.tolerance);
    const BugWindow* chosen = chosenWindow(bugs);
    if (!chosen || chosen->worstDrift.isEmpty()) return;
    Note note;
    note.id = QStringLiteral("window");
    note.icon = QStringLiteral("target");
    if (!chosen->window) {
        note.title = QStringLiteral("No window");
        note.text = atStart(QStringLiteral("%1 %2, no more than %3’s %4: no tolerance tells them apart.")
                                .arg(bugName(chosen->bug), needs(chosen->bugNeeds), chosen->worstDrift,
                                     num::neededTolerance(chosen->driftNeeds)));
        notes.push_back(std::move(note));
        return;
    }
    const ToleranceWindow& window = *chosen->window;
    note.title = QStringLiteral("A window is open");
    note.text = QStringLiteral("rtol %1 to %2 separates these passes from %3.")
                    .arg(num::neededTolerance(window.rtolLow), num::neededTolerance(window.rtolHigh),
                         bugName(chosen->bug)) +
                missedSentence(bugs);
    note.button = QStringLiteral("Set to the middle, %1").arg(num::neededTolerance(window.rtol));
    bool readable = false;
    const double middle = num::neededTolerance(window.rtol).toDouble(&readable);
    note.act = [&document, rtol = readable ? middle : window.rtol] {
        ToleranceSettings next = document.settings().live;
        next.linked = true;
        document.setTolerance(Side::live, withRtol(next, rtol), QObject::tr("The middle of the window"));
    };
    notes.push_back(std::move(note));
}

void addPassNotes(std::vector<Note>& notes, const LiveResult& live) {
    static const QRegularExpression overridden(QStringLiteral("^(\\S+) is overridden by (\\S+) on (.+)$"));
    static const QRegularExpression fused(QStringLiteral("^(\\S+) is fused into (\\S+)"));
    int index = 0;
    for (const std::string& line : live.notes) {
        Note note;
        note.id = QStringLiteral("pass_%1").arg(++index);
        note.icon = QStringLiteral("info");
        const QString sentence = text(line);
        if (const auto match = overridden.match(sentence); match.hasMatch()) {
            note.title = QStringLiteral("%1 is overridden by %2").arg(match.captured(1), match.captured(2));
            note.text = QStringLiteral("On %1 what %2 sets stands where the two contradict.")
                            .arg(match.captured(3), match.captured(2));
        } else if (const auto fusedMatch = fused.match(sentence); fusedMatch.hasMatch()) {
            note.title = QStringLiteral("%1 has no tap").arg(fusedMatch.captured(1));
            note.text = sentence + QLatin1Char('.');
        } else {
            note.title = QStringLiteral("About these passes");
            note.text = sentence + QLatin1Char('.');
        }
        notes.push_back(std::move(note));
    }
}

void addNoPass(std::vector<Note>& notes, Document& document) {
    const std::string block = document.settings().run.block;
    Note note;
    note.id = QStringLiteral("noPass");
    note.icon = QStringLiteral("equal");
    note.title = QStringLiteral("Nothing is rewritten");
    note.text =
        QStringLiteral("No pass is on, so reference and candidate are the same program. Turn on reassociate "
                       "to see drift.");
    note.button = QStringLiteral("Turn on reassociate");
    note.act = [&document] {
        auto choice = lower::parsePass("reassociate");
        if (!choice) return;
        RunSettings run = document.settings().run;
        run.passes.push_back(*choice);
        run.passes = inPassOrder(std::move(run.passes));
        document.setRun(run, QObject::tr("Turn on reassociate"));
    };
    notes.push_back(std::move(note));
}

} // namespace

std::vector<Note> liveNotes(Document& document) {
    std::vector<Note> notes = toleranceNotes(document);
    const auto& newest = document.live().newest();
    if (!newest) return notes;
    if (newest->request.passes.empty()) addNoPass(notes, document);
    addWindow(notes, document);
    addPassNotes(notes, *newest);
    return notes;
}

} // namespace divdet
