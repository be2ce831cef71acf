#pragma once
#include "base/progress.h"
#include "compare/comparison.h"
#include "judge/context.h"
#include "run/taps.h"
#include "session/judge_selection.h"
#include <map>

namespace divdet {

/// Cautions of a pair that no tolerance changes.
std::vector<std::string> staticCautions(DType reference, DType candidate);

/// Fills in summary, the rule's own answer, and the rules that disagree with it, or the reason why there is
/// nothing to fill in. The tolerance is the pair's own where it has one. With a context also findings and
/// class.
void comparePair(TapPair& pair, const PairData& data, const Tolerance& tolerance, bool tiles,
                 const Progress& progress, const JudgeContext* context = nullptr);

/// A run against its reference, tap by tap in depth order; findings and classes are left to the judge of the
/// run. With `judgedOnly` traced taps are left out. Taps named in `own` are judged at the tolerance there.
/// Errors: usage for a judged name that is no tap; cancelled.
Result<std::shared_ptr<const Comparison>> compareTaps(const run::Taps& reference, const run::Taps& candidate,
                                                      const std::vector<std::string>& outputs,
                                                      const JudgeSelection& judge, const Tolerance& tolerance,
                                                      bool judgedOnly, const Progress& progress,
                                                      const std::map<std::string, Tolerance>& own = {});

/// The same verdicts without the closures that load elements: those hold the tensors of the run, and dozens
/// of runs would hold all of them.
std::shared_ptr<Comparison> withoutElements(const Comparison& comparison);

} // namespace divdet
