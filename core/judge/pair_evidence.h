#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "base/progress.h"
#include "compare/finding.h"
#include "compare/summary.h"
#include "judge/context.h"
#include "judge/pair_sample.h"
#include "tensor/tensor.h"

namespace divdet {

/// What a finding may look at: both tensors of a pair, of equal shape and comparable dtypes, and their
/// summary.
struct PairEvidence {
    TensorView reference, candidate;
    std::optional<TensorView> mask; ///< true = compare; same shape
    const Summary& summary;
    Progress progress = {}; ///< a cancelled look at the elements ends early; its findings are of no use
    const JudgeContext& context = noContext();
    std::shared_ptr<SampleOnce> sampled = std::make_shared<SampleOnce>();

    static const JudgeContext& noContext(); ///< nothing is known
    const PairSample& sample() const;       ///< taken at the first call
};

/// Real elements of both sides, widened to double, in row-major blocks: `first` is the flat index of the
/// first one. `visit` returns false to stop. Masked-out elements are left out by calling it for the runs
/// between. Precondition: neither side is complex.
void eachRun(const PairEvidence& pair,
             const std::function<bool(std::int64_t first, std::span<const double> reference,
                                      std::span<const double> candidate)>& visit);

/// Both sides hold real numbers of a floating type.
bool realFloating(const PairEvidence& pair);

/// Unit roundoff (half an ulp of 1) of the coarser floating dtype of the two; 0 when neither side is
/// floating.
double unitRoundoff(const PairEvidence& pair);

} // namespace divdet
