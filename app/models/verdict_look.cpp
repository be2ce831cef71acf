#include "models/verdict_look.h"

namespace divdet {

VerdictLook lookOf(Verdict verdict) {
    switch (verdict) {
    case Verdict::within:
        return verdictLook(VerdictTone::within);
    case Verdict::outside:
        return verdictLook(VerdictTone::outside);
    case Verdict::incomparable:
        return verdictLook(VerdictTone::incomparable);
    case Verdict::incomplete:
        return verdictLook(VerdictTone::incomplete);
    case Verdict::inconclusive:
        return verdictLook(VerdictTone::inconclusive);
    case Verdict::unreadable:
        break;
    }
    VerdictLook look = verdictLook(VerdictTone::outside);
    look.word = QStringLiteral("UNREADABLE");
    return look;
}

} // namespace divdet
