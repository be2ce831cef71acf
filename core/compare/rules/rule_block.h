#pragma once
#include <array>
#include <cstdint>
#include <functional>

#include "base/progress.h"
#include "compare/rules/outcome.h"
#include "tensor/tensor.h"

namespace divdet::rules {

/// What a rule decides for a block of consecutive elements. Complex values stand by their modulus.
struct RuleBlock {
    static constexpr int kSize = 4096;
    std::array<double, kSize> candidate, reference;
    std::array<double, kSize> error; ///< |c − r| as the rule rounds it
    std::array<double, kSize> bound; ///< what it is held against, as the rule rounds it
    std::array<std::uint8_t, kSize> passes;
};

/// Decides elements [first, first + count), count <= RuleBlock::kSize. Called from several threads.
using BlockRule = std::function<void(std::int64_t first, int count, RuleBlock& out)>;

/// Counts, first and worst mismatch of a rule that decides per element; masked-out elements do not exist.
/// Blocks of 4096 in chunks of fixed size, merged in order: the result does not depend on threads.
Result<RuleOutcome> countMismatches(const RuleInput& input, const BlockRule& rule, const Progress& progress);

} // namespace divdet::rules
