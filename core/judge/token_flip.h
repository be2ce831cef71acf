#pragma once
#include <optional>

#include "judge/find_causes.h"

namespace divdet {

/// For scores [.., steps, .., choices] of generated text: judges the steps up to the first whose largest
/// score lies elsewhere, when the two lie closer than twice the largest error of that step. None: the context
/// names no token axis, nothing flips, or what flips was no tie.
std::optional<PairCauses> judgeUpToFlip(const PairEvidence& pair);

} // namespace divdet
