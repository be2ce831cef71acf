#pragma once
#include <optional>

#include "judge/local/residual.h"

namespace divdet {

/// Terms of a product's sums that were not added: the outputs are what the first `kept` of `terms` products
/// give.
struct MissingTerms {
    std::int64_t kept = 0, terms = 0;
};

/// Of op number `op`, tried on a sample of its outputs, each of which must lie within the bound of the
/// shorter sum. nullopt: no length explains them, the op is no plain product, or its inputs were not
/// recorded.
std::optional<MissingTerms> missingTerms(const local::RecordedRun& run, std::size_t op);

} // namespace divdet
