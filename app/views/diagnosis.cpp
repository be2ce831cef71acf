#include "views/diagnosis.h"

#include <algorithm>

#include "gui/judged.h"
#include "gui/number_format.h"
#include "models/class_look.h"
#include "models/finding_text.h"

namespace divdet {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QString asSentence(QString words) {
    if (words.isEmpty()) return words;
    words[0] = words[0].toUpper();
    return words.endsWith(QLatin1Char('.')) ? words : words + QLatin1Char('.');
}

bool isFaulty(const TapPair& pair) {
    return pair.pairClass == PairClass::bug || pair.pairClass == PairClass::unclear;
}

ClassTone toneOf(FindingClass kind) {
    return kind == FindingClass::bug     ? ClassTone::bug
           : kind == FindingClass::drift ? ClassTone::drift
                                         : ClassTone::none;
}

FindingView viewOf(const Finding& finding, const TapPair& pair) {
    FindingView view;
    view.id = text(finding.id);
    view.tone = toneOf(finding.kind);
    view.icon = view.tone == ClassTone::none ? QStringLiteral("info") : classLook(view.tone).icon;
    view.title = findingTitle(finding);
    view.sentence = asSentence(text(finding.text));
    view.tap = text(pair.name);
    for (const auto& [key, value] : finding.evidence)
        view.evidence.emplace_back(evidenceLabel(key), evidenceText(value));
    view.markdown = findingMarkdown(finding, pair);
    view.element = elementOf(finding, pair.referenceShape);
    // A cause without an index of its own still has a worst element to look at.
    if (view.element < 0 && finding.kind == FindingClass::bug && pair.summary)
        view.element = pair.summary->maxAbs.index;
    if (view.element >= 0) view.button = QStringLiteral("Show the place");
    return view;
}

FindingView inherited(const TapPair& pair, const TapPair* origin) {
    FindingView view;
    view.id = QStringLiteral("inherited");
    view.tone = ClassTone::inherited;
    view.icon = classLook(view.tone).icon;
    view.title = QStringLiteral("The error only passes through");
    view.sentence =
        (pair.bound ? QStringLiteral("%1 did what is declared with the inputs it read; an op before it had "
                                     "spoilt them.")
                    : QStringLiteral("The error of %1 comes with its inputs; an earlier tap brought it in."))
            .arg(text(pair.name));
    view.tap = text(origin ? origin->name : pair.name);
    if (origin) {
        view.sentence +=
            (origin->pairClass == PairClass::bug ? QStringLiteral(" The first at fault is %1.")
                                                 : QStringLiteral(" The first that nothing settles is %1."))
                .arg(view.tap);
        view.button = QStringLiteral("Show %1").arg(view.tap);
    }
    view.markdown = view.sentence + QLatin1Char('\n');
    return view;
}

void addCards(Diagnosis& out, const TapPair& pair, const TapPair* origin) {
    if (pair.pairClass == PairClass::inherited) out.cards.push_back(inherited(pair, origin));
    for (const Finding& finding : pair.findings) out.cards.push_back(viewOf(finding, pair));
}

QString whyEmpty(const TapPair& pair) {
    const QString name = text(pair.name);
    if (isWaiting(pair)) return QStringLiteral("%1 is still to be compared.").arg(name);
    if (!pair.pairClass)
        return QStringLiteral("%1 could not be compared, so there is nothing to explain.").arg(name);
    switch (*pair.pairClass) {
    case PairClass::identical:
        return QStringLiteral("%1 is the same on both sides, so there is nothing to explain.").arg(name);
    case PairClass::unclear:
        return QStringLiteral("No known cause fits the difference in %1: neither a bug nor drift is proved.")
            .arg(name);
    default:
        return QStringLiteral("%1: %2.").arg(name, classSentence(pair));
    }
}

QString others(const Comparison& comparison, PairClass which) {
    const auto all = std::count_if(comparison.pairs.begin(), comparison.pairs.end(),
                                   [which](const TapPair& p) { return p.pairClass == which; });
    if (all < 2) return {};
    return QStringLiteral(" and %1 more %2")
        .arg(num::count(static_cast<std::uint64_t>(all - 1)),
             all == 2 ? QStringLiteral("tap") : QStringLiteral("taps"));
}

QString harmless(const Comparison& comparison, PairClass overall) {
    if (overall == PairClass::identical) return QStringLiteral("identical: every bit is the same");
    if (overall == PairClass::inherited) return QStringLiteral("inherited: an earlier op spoilt the inputs");
    const bool ops = std::any_of(comparison.pairs.begin(), comparison.pairs.end(),
                                 [](const TapPair& p) { return p.bound.has_value(); });
    return ops ? QStringLiteral("drift: every op does what is declared")
               : QStringLiteral("drift: harmless causes explain every difference");
}

} // namespace

Diagnosis diagnosisOf(const Comparison& comparison, const QString& selected, bool pending) {
    Diagnosis out;
    if (pending) {
        out.empty = QStringLiteral("Each op is being judged on the inputs it read.");
        return out;
    }
    const int first = firstFaulty(comparison);
    const TapPair* fault = first >= 0 ? &comparison.pairs[static_cast<std::size_t>(first)] : nullptr;
    const TapPair* chosen = nullptr;
    for (const TapPair& pair : comparison.pairs)
        if (text(pair.name) == selected) chosen = &pair;
    if (!chosen) chosen = fault;
    if (!chosen) {
        out.empty = comparison.pairs.empty() ? QStringLiteral("No pair of taps is compared.")
                                             : QStringLiteral("No tap is selected. Click one in the table.");
        return out;
    }
    QStringList taps;
    if (fault && fault != chosen && !isFaulty(*chosen)) {
        addCards(out, *fault, nullptr);
        taps << text(fault->name);
    }
    addCards(out, *chosen, fault);
    taps << text(chosen->name);
    out.subtitle = taps.join(QStringLiteral(", "));
    if (out.cards.empty()) out.empty = whyEmpty(*chosen);
    return out;
}

ClassLine classLine(const Comparison& comparison, bool pending) {
    ClassLine line;
    if (pending) return line;
    const auto overall = overallClass(comparison);
    if (!overall) return line;
    line.tone = divdet::toneOf(*overall);
    const int first = firstFaulty(comparison);
    if (first < 0) {
        line.before = harmless(comparison, *overall);
        return line;
    }
    const TapPair& fault = comparison.pairs[static_cast<std::size_t>(first)];
    const PairClass which = *fault.pairClass;
    line.tap = text(fault.name);
    line.after = others(comparison, which);
    if (*overall == which)
        line.before = which == PairClass::bug ? QStringLiteral("bug in ") : QStringLiteral("unclear in ");
    else
        line.before =
            classLook(line.tone).word + (which == PairClass::bug ? QStringLiteral(" here, but a bug in ")
                                                                 : QStringLiteral(" here, but unclear in "));
    return line;
}

} // namespace divdet
