#include "compare/verdict.h"

namespace divdet {

std::string_view toString(Verdict v) {
    switch (v) {
    case Verdict::within:
        return "within";
    case Verdict::inconclusive:
        return "inconclusive";
    case Verdict::incomplete:
        return "incomplete";
    case Verdict::incomparable:
        return "incomparable";
    case Verdict::unreadable:
        return "unreadable";
    case Verdict::outside:
        return "outside";
    }
    return "outside";
}

int exitCode(Verdict v) {
    switch (v) {
    case Verdict::within:
        return 0;
    case Verdict::outside:
        return 1;
    case Verdict::unreadable:
        return 2;
    case Verdict::inconclusive:
    case Verdict::incomplete:
    case Verdict::incomparable:
        return 3;
    }
    return 3;
}

bool vacuous(const Summary& s, const Tolerance& t) {
    if (s.elements == 0 || s.equal == s.elements) return false;
    if (s.finiteReference != s.elements) return false; // zeros against NaN or infinity fail
    if (s.maxMagnitude == 0) return false;
    // For zeros e = m, and both rules are then monotone in m up to rounding: the ends decide.
    return passesFinite(t, s.maxMagnitude, s.maxMagnitude) && passesFinite(t, s.minMagnitude, s.minMagnitude);
}

PairVerdict judge(const Summary& s, const Tolerance& t) {
    PairVerdict out;
    if (s.elements > 0 && s.nan.both == s.elements) {
        out.allNan = true;
        out.verdict = Verdict::inconclusive;
        return out;
    }
    if (s.neverPass(t.equalNan) > 0) {
        out.verdict = Verdict::outside;
        return out;
    }
    // The exact scan settles the one tolerance it ran at, whatever the frontier had to leave out.
    if (s.at.tolerance == t) {
        if (s.at.mismatches > 0) out.verdict = Verdict::outside;
    } else {
        switch (s.frontier.answer(t)) {
        case FrontierAnswer::passes:
            break;
        case FrontierAnswer::fails:
            out.verdict = Verdict::outside;
            break;
        case FrontierAnswer::rescan:
            out.verdict = Verdict::outside;
            out.needsRescan = true;
            break;
        }
    }
    out.vacuous = vacuous(s, t);
    if (out.verdict == Verdict::within && out.vacuous) out.verdict = Verdict::inconclusive;
    return out;
}

} // namespace divdet
