#pragma once
#include "base/progress.h"
#include "compare/comparison.h"
#include "run/taps.h"
#include "session/judge_selection.h"

namespace divdet {

/// Cautions of a pair that no tolerance changes.
std::vector<std::string> staticCautions(DType reference, DType candidate);

/// Fills in summary, or the reason why there is none, from the two tensors.
void comparePair(TapPair& pair, const Tensor& reference, const Tensor& candidate, const Tolerance& tolerance,
                 bool tiles, const Progress& progress);

/// A run against its reference, tap by tap in depth order. With `judgedOnly` traced taps are left out.
/// Errors: usage for a judged name that is no tap; cancelled.
Result<std::shared_ptr<const Comparison>> compareTaps(const run::Taps& reference, const run::Taps& candidate,
                                                      const std::vector<std::string>& outputs,
                                                      const JudgeSelection& judge, const Tolerance& tolerance,
                                                      bool judgedOnly, const Progress& progress);

} // namespace divdet
