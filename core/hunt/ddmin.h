#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "base/result.h"
#include "hunt/answer.h"

namespace divdet::hunt {

using AskItems = std::function<Result<Answer>(const std::vector<std::size_t>& on)>;

/// Delta debugging (Zeller, Hildebrandt 2002): a subset of `bad` that is still bad and of which no single
/// item can be left out (1-minimal), whatever the oracle's logic. Unresolved counts as not bad. About n log n
/// questions where it goes well and n² at worst. Precondition: `bad` is bad and the empty set is not.
Result<std::vector<std::size_t>> ddmin(std::vector<std::size_t> bad, const AskItems& ask);

} // namespace divdet::hunt
