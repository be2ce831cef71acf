#include "views/verdict_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gui/number_format.h"

namespace divdet {
namespace {

using Pairs = std::vector<TapPair>;

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QString plural(std::int64_t n, const QString& one, const QString& many) {
    return num::count(static_cast<std::uint64_t>(n)) + QLatin1Char(' ') + (n == 1 ? one : many);
}

QList<int> judgedPairs(const Comparison& comparison) {
    QList<int> judged;
    for (std::size_t i = 0; i < comparison.pairs.size(); ++i)
        if (comparison.pairs[i].judged) judged << static_cast<int>(i);
    return judged;
}

/// The pair the numbers are of: the only judged one, else the worst, else the last that has numbers.
int shownPair(const Comparison& comparison, const Judgement& judgement) {
    const QList<int> judged = judgedPairs(comparison);
    if (judged.size() == 1) return judged.first();
    if (judgement.worstTap >= 0) return judgement.worstTap;
    for (int i = static_cast<int>(comparison.pairs.size()) - 1; i >= 0; --i)
        if (comparison.pairs[static_cast<std::size_t>(i)].summary) return i;
    return -1;
}

QString indexNote(const TapPair& pair, std::int64_t flat) {
    if (flat < 0) return {};
    const Index position = unravel(flat, pair.referenceShape);
    if (position.empty()) return {};
    return QStringLiteral("at ") + num::index(position);
}

QString oneTapSentence(const TapPair& pair, const TapVerdict& tap, const Tolerance& t) {
    const QString name = text(pair.name);
    const auto n = static_cast<std::uint64_t>(pair.summary->elements);
    if (tap.verdict == Verdict::within && n == 1)
        return QStringLiteral("%1: its one element passes at %2.").arg(name, toleranceText(t));
    if (tap.verdict == Verdict::within)
        return QStringLiteral("%1: all %2 elements pass at %3.").arg(name, num::count(n), toleranceText(t));
    return QStringLiteral("%1: %2 of %3 elements fail at %4.")
        .arg(name, countText(tap.mismatches), num::count(n), toleranceText(t));
}

QString inconclusiveSentence(const Comparison& comparison, const Judgement& judgement) {
    for (std::size_t i = 0; i < comparison.pairs.size(); ++i) {
        const TapPair& pair = comparison.pairs[i];
        if (!pair.judged || judgement.taps[i].verdict != Verdict::inconclusive) continue;
        const bool allNan = pair.summary && pair.summary->nan.both == pair.summary->elements;
        const QString name = text(pair.name);
        if (allNan)
            return QStringLiteral("%1: every element is NaN on both sides, so nothing was tested.").arg(name);
        if (pair.summary && judgement.tolerance.atol >= pair.summary->maxMagnitude)
            return QStringLiteral(
                       "%1: a tensor of zeros would pass too: atol is larger than every reference value.")
                .arg(name);
        return QStringLiteral("%1: a tensor of zeros would pass too at %2.")
            .arg(name, toleranceText(judgement.tolerance));
    }
    return QStringLiteral("Nothing was tested at %1.").arg(toleranceText(judgement.tolerance));
}

QString incompleteSentence(const Comparison& comparison) {
    const auto missing = static_cast<std::int64_t>(comparison.onlyInReference.size());
    const auto extra = static_cast<std::int64_t>(comparison.onlyInCandidate.size());
    const auto paired = static_cast<std::int64_t>(comparison.pairs.size());
    if (comparison.pairs.empty() && (missing > 0 || extra > 0))
        return QStringLiteral("No tap of the candidate pairs with one of the reference.");
    QStringList parts;
    if (missing > 0)
        parts << QStringLiteral("%1 of %2 only in the reference")
                     .arg(num::count(static_cast<std::uint64_t>(missing)),
                          plural(paired + missing, QStringLiteral("tap is"), QStringLiteral("taps are")));
    if (extra > 0)
        parts << QStringLiteral("%1 of %2 only in the candidate")
                     .arg(num::count(static_cast<std::uint64_t>(extra)),
                          plural(paired + extra, QStringLiteral("tap is"), QStringLiteral("taps are")));
    if (parts.isEmpty()) return QStringLiteral("A file is one shard of a set, and the rest is not there.");
    return parts.join(QStringLiteral("; ")) + QLatin1Char('.');
}

QString structuralSentence(const Comparison& comparison, const Judgement& judgement, Verdict which) {
    for (std::size_t i = 0; i < comparison.pairs.size(); ++i)
        if (comparison.pairs[i].judged && judgement.taps[i].verdict == which) {
            QString sentence = incomparableText(comparison.pairs[i]);
            const std::int64_t others =
                (which == Verdict::unreadable ? judgement.unreadable : judgement.incomparable) - 1;
            if (others > 0)
                sentence +=
                    QStringLiteral(" So are %1 more.").arg(num::count(static_cast<std::uint64_t>(others)));
            return sentence;
        }
    return {};
}

QString manySentence(const Judged& judged, const Judgement& judgement) {
    const auto waiting = static_cast<std::int64_t>(judged.waiting());
    const auto pairs = static_cast<std::int64_t>(judgedPairs(*judged.comparison()).size());
    const QString at = toleranceText(judgement.tolerance);
    if (judgement.verdict == Verdict::outside)
        return QStringLiteral("%1 of %2 elements outside %3.")
            .arg(num::count(static_cast<std::uint64_t>(judgement.outside)),
                 plural(pairs, QStringLiteral("tap has"), QStringLiteral("taps have")), at);
    if (waiting > 0)
        return QStringLiteral("%1 of %2 compared so far, none of them outside %3.")
            .arg(num::count(static_cast<std::uint64_t>(pairs - waiting)),
                 plural(pairs, QStringLiteral("tap"), QStringLiteral("taps")), at);
    return QStringLiteral("all %1 pass at %2.")
        .arg(plural(pairs, QStringLiteral("tap"), QStringLiteral("taps")), at);
}

QString sentenceOf(const Judged& judged) {
    const Comparison& comparison = *judged.comparison();
    const Judgement& judgement = *judged.judgement();
    const QList<int> only = judgedPairs(comparison);
    switch (judgement.verdict) {
    case Verdict::inconclusive:
        return inconclusiveSentence(comparison, judgement);
    case Verdict::incomplete:
        return incompleteSentence(comparison);
    case Verdict::incomparable:
    case Verdict::unreadable:
        return structuralSentence(comparison, judgement, judgement.verdict);
    case Verdict::within:
    case Verdict::outside:
        break;
    }
    if (only.size() == 1) {
        const auto i = static_cast<std::size_t>(only.first());
        if (comparison.pairs[i].summary)
            return oneTapSentence(comparison.pairs[i], judgement.taps[i], judgement.tolerance);
    }
    return manySentence(judged, judgement);
}

void addUse(VerdictContent& out, const Comparison& comparison, const ToleranceSettings& settings) {
    const Tolerance& t = settings.tolerance;
    const double needed = settings.linked ? neededRtolLinked(comparison, t) : neededRtol(comparison, t);
    const QString where =
        settings.linked ? QStringLiteral("on the linked path") : QStringLiteral("at this atol");
    if (std::isinf(needed) || std::isnan(needed)) {
        out.use = std::numeric_limits<double>::infinity();
        out.useText = QStringLiteral("no rtol passes ") + where;
        return;
    }
    if (needed == 0) {
        out.use = 0;
        out.useText = QStringLiteral("needs no rtol ") + where;
        return;
    }
    out.use = t.rtol > 0 ? needed / t.rtol : std::numeric_limits<double>::infinity();
    if (out.use <= 1)
        out.useText =
            QStringLiteral("needs rtol %1 of %2 %3: %4 used")
                .arg(num::neededTolerance(needed), num::tolerance(t.rtol), where, num::wholeShare(out.use));
    else if (std::isinf(out.use))
        out.useText = QStringLiteral("needs rtol %1 %2").arg(num::neededTolerance(needed), where);
    else
        out.useText = QStringLiteral("needs rtol %1, %2 the tolerance %3")
                          .arg(num::neededTolerance(needed), num::ratio(out.use), where);
}

QString keyOf(const QString& tap, std::int64_t element = -1) {
    return QString::number(element) + QLatin1Char(' ') + tap;
}

void addRows(VerdictContent& out, const TapPair& pair, const TapVerdict& tap) {
    const Summary& s = *pair.summary;
    const QString name = text(pair.name);
    const auto n = [](std::int64_t v) { return num::count(static_cast<std::uint64_t>(v)); };
    out.rows.push_back({keyOf(name, s.maxAbs.index), QStringLiteral("max abs"), num::error(s.maxAbs.value),
                        indexNote(pair, s.maxAbs.index)});
    out.rows.push_back({keyOf(name, s.maxRel.index), QStringLiteral("max rel"), num::error(s.maxRel.value),
                        indexNote(pair, s.maxRel.index)});
    if (s.maxUlp)
        out.rows.push_back({{},
                            QStringLiteral("max ulp"),
                            num::ulps(*s.maxUlp),
                            s.ulpSignFlips ? QStringLiteral("sign flips") : QString()});
    out.rows.push_back(
        {{}, QStringLiteral("over tol."), countText(tap.mismatches), QStringLiteral("of ") + n(s.elements)});
    if (s.nan.reference + s.nan.candidate + s.inf.reference + s.inf.candidate > 0)
        out.rows.push_back({{},
                            QStringLiteral("nan, inf"),
                            n(s.nan.candidate + s.inf.candidate),
                            QStringLiteral("reference ") + n(s.nan.reference + s.inf.reference)});
    const QString sqnr = std::isinf(s.sqnrDb) ? QStringLiteral("inf") : num::decibel(s.sqnrDb);
    out.rows.push_back({{}, QStringLiteral("SQNR"), sqnr, {}});
}

} // namespace

VerdictTone toneOf(Verdict verdict) {
    switch (verdict) {
    case Verdict::within:
        return VerdictTone::within;
    case Verdict::inconclusive:
        return VerdictTone::inconclusive;
    case Verdict::incomplete:
        return VerdictTone::incomplete;
    case Verdict::incomparable:
        return VerdictTone::incomparable;
    case Verdict::unreadable:
    case Verdict::outside:
        break;
    }
    return VerdictTone::outside;
}

QString wordOf(Verdict verdict) {
    const std::string_view id = toString(verdict);
    return QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size())).toUpper();
}

QString countText(const CountBounds& bounds) {
    if (bounds.low == bounds.high) return num::count(static_cast<std::uint64_t>(bounds.low));
    return QStringLiteral("≈ ") + num::count(static_cast<std::uint64_t>(bounds.high));
}

QString toleranceText(const Tolerance& t) {
    const QString text =
        QStringLiteral("rtol %1, atol %2").arg(num::tolerance(t.rtol), num::tolerance(t.atol));
    if (t.rule == Rule::allclose) return text;
    const std::string_view id = toString(t.rule);
    return QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size())) + QLatin1Char(' ') + text;
}

QString incomparableText(const TapPair& pair) {
    const QString name = text(pair.name);
    if (!pair.problem && pair.referenceShape == pair.candidateShape)
        return QStringLiteral("%1: the rule does not take %2 against %3.")
            .arg(name, text(std::string(divdet::name(pair.referenceDType))),
                 text(std::string(divdet::name(pair.candidateDType))));
    if (!pair.problem) {
        return QStringLiteral("%1: %2 against %3.")
            .arg(name, num::shape(pair.referenceShape), num::shape(pair.candidateShape));
    }
    QString what = text(pair.problem->message);
    // Shapes are written as everywhere in the window; what follows them in the message stays.
    const QString asCore = text(toString(pair.referenceShape) + " against " + toString(pair.candidateShape));
    if (what.startsWith(asCore))
        what = num::shape(pair.referenceShape) + QStringLiteral(" against ") +
               num::shape(pair.candidateShape) + what.mid(asCore.size());
    return name + QStringLiteral(": ") + what + QLatin1Char('.');
}

ElementRef elementOfKey(const QString& key) {
    const auto space = key.indexOf(QLatin1Char(' '));
    return {key.mid(space + 1), key.left(space).toLongLong()};
}

VerdictContent verdictContent(const Judged& judged, const ToleranceSettings& settings, Side side) {
    const Comparison& comparison = *judged.comparison();
    const Judgement& judgement = *judged.judgement();
    VerdictContent out;
    out.tone = toneOf(judgement.verdict);
    out.word = wordOf(judgement.verdict);
    out.sentence = sentenceOf(judged);
    const bool running = judged.waiting() > 0;
    if (running && judgement.verdict != Verdict::outside) {
        out.tone = VerdictTone::incomplete;
        out.word = QStringLiteral("COMPARING");
        out.sentence = manySentence(judged, judgement);
    }
    const int shown = shownPair(comparison, judgement);
    if (shown < 0) return out;
    const auto i = static_cast<std::size_t>(shown);
    if (!comparison.pairs[i].summary) return out;
    if (!running) addUse(out, comparison, settings);
    const bool several =
        side == Side::compare ? comparison.pairs.size() > 1 : judgedPairs(comparison).size() > 1;
    if (several && !running)
        out.sentence += QStringLiteral(" Worst: %1.").arg(text(comparison.pairs[i].name));
    addRows(out, comparison.pairs[i], judgement.taps[i]);
    return out;
}

} // namespace divdet
