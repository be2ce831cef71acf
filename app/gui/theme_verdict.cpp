#include "gui/theme_verdict.h"

namespace divdet {
namespace {

QString s(const char* text) {
    return QString::fromLatin1(text);
}

} // namespace

VerdictLook verdictLook(VerdictTone tone) {
    switch (tone) {
    case VerdictTone::within:
        return {s("WITHIN"), s("within"), Token::withinFg, Token::withinBg, Token::withinSolid};
    case VerdictTone::outside:
        return {s("OUTSIDE"), s("outside"), Token::outsideFg, Token::outsideBg, Token::outsideSolid};
    case VerdictTone::incomparable:
        return {s("INCOMPARABLE"), s("incomp"), Token::incompFg, Token::incompBg, Token::incompSolid};
    case VerdictTone::incomplete:
        return {s("INCOMPLETE"), s("incpl"), Token::incplFg, Token::incplBg, Token::incplSolid};
    case VerdictTone::inconclusive:
        break;
    }
    return {s("INCONCLUSIVE"), s("incon"), Token::inconFg, Token::inconBg, Token::inconSolid};
}

ClassLook classLook(ClassTone tone) {
    switch (tone) {
    case ClassTone::identical:
        return {s("identical"), s("equal"), Token::text2, Token::sunken};
    case ClassTone::drift:
        return {s("drift"), s("wave"), Token::accent, Token::accentBg};
    case ClassTone::bug:
        return {s("bug"), s("bug"), Token::outsideFg, Token::outsideBg};
    case ClassTone::unclear:
        return {s("unclear"), s("unclear"), Token::text2, Token::sunken};
    case ClassTone::inherited:
        return {s("inherited"), s("right"), Token::text2, Token::sunken};
    case ClassTone::none:
        break;
    }
    return {QString(), QString(), Token::text3, Token::sunken};
}

VerdictTone verdictToneFromId(const QString& id) {
    for (const VerdictTone tone :
         {VerdictTone::within, VerdictTone::outside, VerdictTone::incomparable, VerdictTone::incomplete})
        if (id.toUpper() == verdictLook(tone).word) return tone;
    return id == QLatin1String("unreadable") ? VerdictTone::outside : VerdictTone::inconclusive;
}

QString verdictWordFromId(const QString& id) {
    return id.toUpper();
}

ClassTone classToneFromId(const QString& id) {
    for (const ClassTone tone :
         {ClassTone::identical, ClassTone::drift, ClassTone::bug, ClassTone::unclear, ClassTone::inherited})
        if (id == classLook(tone).word) return tone;
    return ClassTone::none;
}

} // namespace divdet
