#include "views/advisor_text.h"

#include <algorithm>

#include "gui/advisor_side.h"
#include "gui/number_format.h"

namespace divdet {
namespace {

constexpr double kMisses = 0.5; ///< a fault passes in more of the runs that it acts in than not

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QString asSentence(QString words) {
    if (!words.isEmpty()) words[0] = words[0].toUpper();
    return words + QLatin1Char('.');
}

QString pairText(const Tolerance& t) {
    return QStringLiteral("rtol %1, atol %2").arg(num::tolerance(t.rtol), num::tolerance(t.atol));
}

QString names(const std::vector<std::string>& faults) {
    QStringList all;
    for (const std::string& fault : faults) all << text(fault);
    return all.join(QStringLiteral(", "));
}

/// What a title says, where the pass has one; its id otherwise.
QString titleOf(const Advice& advice, const std::string& fault) {
    for (const FaultPower& p : advice.power)
        if (p.fault == fault) return text(p.title);
    return {};
}

void addRows(VerdictContent& content, const Advice& a) {
    content.rows = {{{}, QStringLiteral("rtol"), num::tolerance(a.recommended.rtol), {}},
                    {{}, QStringLiteral("atol"), num::tolerance(a.recommended.atol), {}},
                    {{}, QStringLiteral("fails"), rateText(a.falseAlarm), {}},
                    {{}, QStringLiteral("asked"), num::tolerance(a.request.p), {}},
                    {{}, QStringLiteral("elements"), num::count(static_cast<std::uint64_t>(a.elements)), {}},
                    {{}, QStringLiteral("draws"), num::count(static_cast<std::uint64_t>(a.draws)), {}}};
    content.rows[0].note = QStringLiteral("recommended");
    content.rows[1].note = QStringLiteral("recommended");
    content.rows[2].note = QStringLiteral("of honest runs");
    content.footer = QStringLiteral("Compare with %1.").arg(text(a.reference));
}

void addMissed(std::vector<Note>& notes, const Advice& a) {
    Note note;
    note.id = QStringLiteral("missedFaults");
    note.icon = QStringLiteral("incon");
    note.colour = Token::inconFg;
    for (const FaultPower& p : a.power)
        if (p.acts && p.recommended < kMisses * p.acting)
            note.evidence.push_back({text(p.fault), num::wholeShare(p.recommended)});
    if (note.evidence.empty()) return;
    const auto n = note.evidence.size();
    note.title = n == 1 ? QStringLiteral("One fault passes the recommended tolerance")
                        : QStringLiteral("%1 faults pass the recommended tolerance").arg(n);
    note.text =
        QStringLiteral("Share of the runs that it catches. The table says from which size on it finds "
                       "them, where one was found.");
    notes.push_back(std::move(note));
}

void addGiven(std::vector<Note>& notes, const Advice& a) {
    if (!a.given || a.given->blindTo.empty()) return;
    Note note;
    note.id = QStringLiteral("blindTo");
    note.icon = QStringLiteral("incon");
    note.colour = Token::inconFg;
    note.title = a.given->blindTo.size() == 1
                     ? QStringLiteral("Your tolerance misses a fault")
                     : QStringLiteral("Your tolerance misses %1 faults").arg(a.given->blindTo.size());
    note.text = QStringLiteral("The recommended one catches what stands here.");
    for (const std::string& fault : a.given->blindTo)
        for (const FaultPower& p : a.power)
            if (p.fault == fault)
                note.evidence.push_back({text(fault), num::wholeShare(p.given.value_or(0)) +
                                                          QStringLiteral(" against ") +
                                                          num::wholeShare(p.recommended)});
    notes.push_back(std::move(note));
}

void addLoosest(std::vector<Note>& notes, const Advice& a) {
    if (!a.loosest) return;
    Note note;
    note.id = QStringLiteral("loosest");
    note.icon = QStringLiteral("target");
    note.title = QStringLiteral("How loose it may be");
    note.text =
        QStringLiteral("Up to %1 it loses no fault; %2 goes first (%3). Beyond %4 it catches nothing "
                       "of the table.")
            .arg(pairText(*a.lossless), text(a.firstLost), titleOf(a, a.firstLost), pairText(*a.loosest));
    notes.push_back(std::move(note));
}

} // namespace

QString rateText(double probability) {
    return num::error(probability);
}

QString adviceSubject(const Advice& advice) {
    return text(advice.what).replace(QStringLiteral("  "), QStringLiteral(" · "));
}

VerdictContent adviceVerdict(const Advice& a) {
    VerdictContent content;
    if (!a.given) {
        content.tone = VerdictTone::within;
        content.word = QStringLiteral("RECOMMENDED");
        content.sentence = QStringLiteral("%1: an honest run fails with probability %2.")
                               .arg(pairText(a.recommended), rateText(a.falseAlarm));
    } else {
        const QString pair = pairText(a.given->tolerance);
        const QString rate = rateText(a.given->falseAlarm);
        switch (a.given->verdict) {
        case ToleranceVerdict::flaky:
            content.tone = VerdictTone::inconclusive;
            content.word = QStringLiteral("FLAKY");
            content.sentence =
                QStringLiteral("%1: an honest run fails with probability %2, and %3 was asked for.")
                    .arg(pair, rate, num::tolerance(a.request.p));
            break;
        case ToleranceVerdict::blind:
            content.tone = VerdictTone::inconclusive;
            content.word = QStringLiteral("BLIND");
            content.sentence = QStringLiteral("%1: it misses %2, which the recommended tolerance catches.")
                                   .arg(pair, names(a.given->blindTo));
            break;
        case ToleranceVerdict::fine:
            content.tone = VerdictTone::within;
            content.word = QStringLiteral("FINE");
            content.sentence =
                QStringLiteral(
                    "%1: an honest run fails with probability %2, and it catches what can be caught.")
                    .arg(pair, rate);
            break;
        }
    }
    addRows(content, a);
    return content;
}

VerdictContent pendingAdvice(const AdvisorSide& side) {
    VerdictContent content;
    content.tone = VerdictTone::incomplete;
    if (side.error()) {
        content.word = QStringLiteral("NO ANSWER");
        content.sentence = asSentence(text(side.error()->message));
        if (!side.error()->hint.empty())
            content.sentence += QLatin1Char(' ') + asSentence(text(side.error()->hint));
    } else if (side.stopped()) {
        content.word = QStringLiteral("STOPPED");
        content.sentence = QStringLiteral("The question was stopped before its answer. F5 asks it again.");
    } else {
        content.word = QStringLiteral("ASKING");
        content.sentence =
            QStringLiteral("Honest runs and faults of %1 are on their way.").arg(text(side.request().op));
    }
    return content;
}

std::vector<Note> adviceNotes(const Advice& a) {
    std::vector<Note> notes;
    addGiven(notes, a);
    addMissed(notes, a);
    addLoosest(notes, a);
    for (std::size_t i = 0; i < a.notes.size(); ++i) {
        Note note;
        note.id = QStringLiteral("advice%1").arg(i);
        note.icon = QStringLiteral("info");
        note.title = QStringLiteral("How it was measured");
        note.text = asSentence(text(a.notes[i]));
        notes.push_back(std::move(note));
    }
    return notes;
}

std::vector<AdvisedTolerance> advisedTolerances(const Advice& a) {
    const QString none = num::notApplicable();
    const auto row = [](const QString& name, const Tolerance& t, const QString& fails, const QString& words) {
        return AdvisedTolerance{name, num::tolerance(t.rtol), num::tolerance(t.atol), fails, words};
    };
    std::vector<AdvisedTolerance> rows;
    if (a.given)
        rows.push_back(row(QStringLiteral("yours"), a.given->tolerance, rateText(a.given->falseAlarm),
                           a.given->verdict == ToleranceVerdict::flaky
                               ? QStringLiteral("flaky: asked for %1").arg(num::tolerance(a.request.p))
                           : a.given->verdict == ToleranceVerdict::blind
                               ? QStringLiteral("blind to %1").arg(names(a.given->blindTo))
                               : QStringLiteral("fine")));
    rows.push_back(row(QStringLiteral("recommended"), a.recommended, rateText(a.falseAlarm),
                       QStringLiteral("the sharpest that is no flakier than asked")));
    rows.push_back(row(QStringLiteral("linked"), a.linked, rateText(a.linkedAlarm),
                       QStringLiteral("on the path of the linked sliders")));
    if (a.lossless)
        rows.push_back(row(QStringLiteral("lossless"), *a.lossless, none,
                           QStringLiteral("beyond it %1 is missed").arg(text(a.firstLost))));
    if (a.loosest)
        rows.push_back(
            row(QStringLiteral("loosest"), *a.loosest, none,
                QStringLiteral("beyond it nothing is caught, not even %1").arg(text(a.loosestCatches))));
    return rows;
}

} // namespace divdet
