#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace divdet {

/// What one side makes of a token. A row of logits is *defined* when it holds neither NaN nor +inf and at
/// least one finite number; -inf is a word that cannot come (probability 0).
struct GuessFacts {
    bool defined = false;
    std::int64_t guess = -1; ///< first index of the largest logit; -1: undefined, which is never right
    bool tied = false;       ///< another word is as large
    /// -log p(target) in nats; +inf where the target cannot come, NaN without a target or when undefined.
    double crossEntropy = std::numeric_limits<double>::quiet_NaN();
};

struct TokenFacts {
    GuessFacts reference, candidate;
    /// Largest logit of the reference minus its second largest; inf when no other word can come, NaN when
    /// undefined.
    double margin = std::numeric_limits<double>::quiet_NaN();
    /// Largest |candidate - reference|; equal infinities are no error; inf when a side is undefined.
    double error = std::numeric_limits<double>::infinity();
    /// KL(reference || candidate) in nats, >= 0; inf where a word that can come cannot in the candidate, NaN
    /// when a side is undefined.
    double kl = std::numeric_limits<double>::quiet_NaN();
    /// margin > 2 · error, with room for the rounding of both: whatever the signs of the errors, the largest
    /// logit stays the largest.
    bool cannotFlip = false;

    /// Both sides have a guess, and it is the same.
    bool agrees() const { return reference.guess >= 0 && reference.guess == candidate.guess; }
};

/// Facts of one token from its two rows of logits (equally long, at least two); `target` is an index into
/// them or -1 for none. `weights` is scratch.
TokenFacts factsOf(std::span<const double> reference, std::span<const double> candidate, std::int64_t target,
                   std::vector<double>& weights);

} // namespace divdet
