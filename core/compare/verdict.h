#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "compare/summary.h"

namespace divdet {

/// In rising order of badness: the worst one of several wins.
enum class Verdict { within, inconclusive, incomplete, incomparable, unreadable, outside };

std::string_view toString(Verdict v); ///< `within` …
inline Verdict worse(Verdict a, Verdict b) {
    return a < b ? b : a;
}

/// Process exit code of a verdict: within 0, outside 1, unreadable 2, the others 3.
int exitCode(Verdict v);

/// Would a tensor of zeros in the candidate's place pass as well? False for pairs that are equal everywhere
/// and for references that are all zero: there zeros are a right answer.
bool vacuous(const Summary& s, const Tolerance& t);

/// The verdict of one summarised pair at a tolerance, from the frontier alone: no scan.
struct PairVerdict {
    Verdict verdict = Verdict::within;
    bool vacuous = false;
    bool allNan = false;      ///< nothing but NaN on both sides
    bool needsRescan = false; ///< the frontier cannot decide within rounding; `verdict` is then outside
};
PairVerdict judge(const Summary& s, const Tolerance& t);

} // namespace divdet
