#include "views/hunt_text.h"

#include <QCoreApplication>
#include <QStringList>

#include "gui/number_format.h"

namespace divdet {
namespace {

QString tr(const char* s) {
    return QCoreApplication::translate("HuntText", s);
}

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QString namesOf(const std::vector<std::size_t>& items, const hunt::HuntOptions& options) {
    QStringList out;
    for (const std::size_t i : items) out << text(options.items[i]);
    return out.join(QStringLiteral(", "));
}

HuntWords found(const hunt::HuntResult& r, const hunt::HuntOptions& options) {
    HuntWords w{tr("FOUND"), Token::outsideFg, {}, {}, {}};
    QStringList sets, text1;
    for (const hunt::CulpritSet& set : r.culprits) {
        sets << namesOf(set.items, options) + (set.items.size() > 1 ? tr(" (only together)") : QString());
        if (!set.alone)
            text1 << tr("It cannot run with nothing else on; everything on but this is good.");
        else if (options.form == hunt::Form::counter)
            text1 << tr("With it, and without what comes later: %1.").arg(text(set.alone->text));
        else
            text1 << tr("With nothing else on: %1.").arg(text(set.alone->text));
    }
    w.names = sets.join(QStringLiteral("\n"));
    if (!r.suspects.empty())
        text1 << tr("A further one could not be told apart: %1.").arg(namesOf(r.suspects, options));
    else if (r.more)
        text1 << tr("Without it everything on is still bad: there is a further one.");
    if (!r.steady)
        text1 << tr("The answers vary: with everything on %1 of %2 runs were bad. Good answers were "
                    "repeated; the "
                    "chance that one of them hid a failure is at most %3.")
                     .arg(r.rate.bad)
                     .arg(r.rate.bad + r.rate.good)
                     .arg(num::error(r.missBound));
    w.text = text1.join(QLatin1Char(' '));
    return w;
}

HuntWords wordsOf(const hunt::HuntResult& r, const hunt::HuntOptions& options) {
    switch (r.ending) {
    case hunt::Ending::found:
        return found(r, options);
    case hunt::Ending::nothingFails:
        return {tr("NOTHING FAILS"),
                Token::withinFg,
                {},
                tr("With everything on: %1. If it failed elsewhere, look at the tolerance, the seed and the "
                   "device.")
                    .arg(text(r.everythingOn.text)),
                {}};
    case hunt::Ending::baselineFails:
        return {tr("NOT THESE"),
                Token::inconFg,
                {},
                tr("With everything off it is bad too, so the cause is none of the items."),
                {}};
    case hunt::Ending::unsteady:
        return {tr("UNSTEADY"),
                Token::inconFg,
                {},
                tr("The answers vary: with everything on %1 of %2 runs were bad.")
                    .arg(r.rate.bad)
                    .arg(r.rate.bad + r.rate.good),
                {}};
    case hunt::Ending::unresolved:
        break;
    }
    if (!r.suspects.empty())
        return {tr("UNRESOLVED"),
                Token::inconFg,
                namesOf(r.suspects, options),
                tr("It is one of, or some of these."),
                {}};
    const bool off = r.everythingOff && r.everythingOff->answer == hunt::Answer::unresolved;
    return {tr("UNRESOLVED"),
            Token::inconFg,
            {},
            (off ? tr("With everything off: %1.") : tr("With everything on: %1."))
                .arg(text(off ? r.everythingOff->text : r.everythingOn.text)),
            {}};
}

} // namespace

HuntWords huntWords(const HuntSide& side) {
    using Work = HuntSide::Work;
    if (side.running() && side.work() == Work::hunt)
        return {side.paused() ? tr("PAUSED") : tr("HUNTING"),
                Token::text2,
                {},
                side.paused() ? tr("The run that is going on is the last before the pause.") : QString(),
                {}};
    if (side.found()) {
        const hunt::HuntResult& r = side.found()->result;
        HuntWords w = wordsOf(r, side.found()->request.options);
        w.numbers = tr("%1, %2 of them checks · bad when %3 · %4")
                        .arg(r.runs == 1 ? tr("1 run") : tr("%1 runs").arg(r.runs))
                        .arg(r.checks)
                        .arg(text(toString(side.found()->request.bad)), num::seconds(r.seconds));
        return w;
    }
    if (side.error() && side.work() == Work::hunt)
        return {tr("FAILED"), Token::inconFg, {}, text(side.error()->text()), {}};
    if (side.canResume())
        return {tr("STOPPED"), Token::text2, {}, tr("Resume goes on where it was; its runs are kept."), {}};
    return {
        {},
        Token::text2,
        {},
        tr("Press Hunt: each answer halves what is under suspicion, so twelve passes take about four runs "
           "beside the checks."),
        {}};
}

QString smallWords(const SmallCase& small) {
    const hunt::MinimiseResult& r = small.minified.result;
    if (r.ending == hunt::MinimiseEnding::unsteady)
        return tr("It fails in some runs only, so what went away may be chance: give the pass a seed.");
    if (!small.repro) return tr("It does not fail: %1.").arg(text(r.before.text));
    return tr("before: %1\nafter: %2\nit shows: %3 · %4 runs, %5%6")
        .arg(text(toString(r.sizeBefore)), text(toString(r.sizeAfter)), text(r.after.text))
        .arg(r.runs)
        .arg(num::seconds(r.seconds), r.complete ? QString() : tr(" · the limit of runs was reached"));
}

} // namespace divdet
