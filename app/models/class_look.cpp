#include "models/class_look.h"

#include "gui/number_format.h"

namespace divdet {
namespace {

QString count(std::int64_t n) {
    return num::count(static_cast<std::uint64_t>(n));
}

int firstOf(const Comparison& comparison, PairClass wanted) {
    for (std::size_t i = 0; i < comparison.pairs.size(); ++i)
        if (comparison.pairs[i].pairClass == wanted) return static_cast<int>(i);
    return -1;
}

} // namespace

ClassTone toneOf(PairClass c) {
    switch (c) {
    case PairClass::identical:
        return ClassTone::identical;
    case PairClass::drift:
        return ClassTone::drift;
    case PairClass::inherited:
        return ClassTone::inherited;
    case PairClass::unclear:
        return ClassTone::unclear;
    case PairClass::bug:
        break;
    }
    return ClassTone::bug;
}

ClassLook lookOf(PairClass c) {
    return classLook(toneOf(c));
}

QString classSentence(const TapPair& pair) {
    if (!pair.pairClass) return QStringLiteral("not judged: the two could not be compared");
    switch (*pair.pairClass) {
    case PairClass::identical:
        return QStringLiteral("identical: every bit is the same on both sides");
    case PairClass::drift:
        return pair.bound
                   ? QStringLiteral("drift: the op did what is declared with the inputs it read")
                   : QStringLiteral("drift: a harmless cause explains the difference; the card names it");
    case PairClass::inherited:
        return pair.bound ? QStringLiteral(
                                "inherited: the op computed rightly on inputs that an earlier op had spoilt")
                          : QStringLiteral(
                                "inherited: the error came with the inputs; an earlier tap brought it in");
    case PairClass::unclear:
        return QStringLiteral("unclear: neither a bug is proved nor is the difference explained as drift");
    case PairClass::bug:
        break;
    }
    return pair.bound && pair.bound->beyond > 0
               ? QStringLiteral("bug: the declared arithmetic cannot give these numbers on the inputs the op "
                                "read")
               : QStringLiteral("bug: a finding names a cause that is no rounding; the card explains it");
}

QString boundText(const std::optional<BoundScore>& bound) {
    if (!bound) return num::notApplicable();
    if (bound->beyond > 0)
        // A table has no room for two long counts; the tooltip has them.
        return (bound->elements < 10'000
                    ? count(bound->beyond) + QLatin1Char('/') + count(bound->elements)
                    : num::share(static_cast<double>(bound->beyond) / static_cast<double>(bound->elements))) +
               QStringLiteral(" beyond");
    return num::error(bound->largest);
}

QString boundSentence(const std::optional<BoundScore>& bound) {
    if (!bound)
        return QStringLiteral("no bound: this op was not judged, because its inputs or its arithmetic are "
                              "not known");
    if (bound->beyond > 0)
        return QStringLiteral("%1 of %2 elements lie beyond what the declared arithmetic allows (1); the "
                              "largest is at %3")
            .arg(count(bound->beyond), count(bound->elements), num::error(bound->largest));
    return QStringLiteral("the largest error is %1 of what the declared arithmetic allows on the inputs the "
                          "op read; up to 1 is honest")
        .arg(num::error(bound->largest));
}

QString zSentence(const TapPair& pair) {
    if (!pair.zRms)
        return QStringLiteral("no z: theory gives no expected error here; live runs have one where each op "
                              "has formulas");
    const QString largest =
        pair.zLargest ? QStringLiteral("; the largest |z| is %1").arg(num::z(*pair.zLargest)) : QString();
    return QStringLiteral("the error is %1 times what theory expects (rms; honest runs: %2 to %3)%4")
        .arg(num::z(*pair.zRms), num::tolerance(kZLow), num::tolerance(kZHigh), largest);
}

int firstFaulty(const Comparison& comparison) {
    const int bug = firstOf(comparison, PairClass::bug);
    return bug >= 0 ? bug : firstOf(comparison, PairClass::unclear);
}

} // namespace divdet
