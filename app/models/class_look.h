#pragma once
#include "gui/theme_verdict.h"

#include "compare/comparison.h"

namespace divdet {

ClassTone toneOf(PairClass c);
/// Icon, word and colours of a class of core.
ClassLook lookOf(PairClass c);

/// What the class of a pair means, in one sentence; why there is none where there is none.
QString classSentence(const TapPair& pair);

/// "0.46" of the bound, or "12/1,024 beyond" ("99.9 % beyond" of 10,000 and more); a dash where the op was
/// not judged.
QString boundText(const std::optional<BoundScore>& bound);
QString boundSentence(const std::optional<BoundScore>& bound);

/// What rms z says, in one sentence with the band it is compared with.
QString zSentence(const TapPair& pair);
/// rms z of honest arithmetic lies here (judge/envelope).
inline constexpr double kZLow = 0.5, kZHigh = 2.0;

/// The first pair in depth order that is a bug, else the first that is unclear; −1: none.
int firstFaulty(const Comparison& comparison);

} // namespace divdet
