#pragma once
#include <functional>
#include <span>

#include "judge/pair_evidence.h"

namespace divdet {

/// The sums of both sides agree as those of the same numbers in another order do, though the elements differ
/// by far more than noise. Cheap: it decides whether looking for an order is worth while.
bool mayBeReordered(const PairEvidence& pair);

/// Whether c[i] is r[source(i)] within rounding, for nearly every element of the sample; a source below 0 is
/// no element and counts neither way. `part`: share of elements that must have a source.
bool isReordering(const PairEvidence& pair, const std::function<std::int64_t(std::int64_t)>& source,
                  double part = 1);

} // namespace divdet
