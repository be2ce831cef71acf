#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "judge/metric/estimate.h"
#include "judge/metric/safe_tolerance.h"
#include "tensor/tensor.h"

/// What a difference costs in the task: logits of both sides, [.., vocabulary], turned into guesses. A
/// *token* is a row of logits; its guess is the first index of the largest. All sums in double, the same bits
/// for any number of threads.
namespace divdet {

/// A token whose guess changed.
struct Flip {
    std::int64_t token = 0;                      ///< flat index over the leading dimensions
    std::int64_t reference = -1, candidate = -1; ///< the two guesses; -1: that side has none
    /// Logits of the reference at its own guess and at the candidate's; NaN where a guess is missing.
    double top = 0, other = 0;
    double error = 0; ///< largest error of a logit of that token

    friend bool operator==(const Flip&, const Flip&) = default;
};

/// Against the right answers; tokens with a negative target are left out.
struct TargetScore {
    std::int64_t tokens = 0;
    std::int64_t rightReference = 0, rightCandidate = 0;
    std::int64_t won = 0, lost = 0; ///< right in the candidate only, in the reference only
    Estimate crossEntropyReference, crossEntropyCandidate, crossEntropyChange; ///< nats per token
    Estimate perplexityReference, perplexityCandidate,
        perplexityChange; ///< exp of these; errors to first order

    Estimate accuracyReference() const { return shareOf(rightReference, tokens); }
    Estimate accuracyCandidate() const { return shareOf(rightCandidate, tokens); }
    Estimate accuracyChange() const { return shareChange(won, lost, tokens); }
};

struct TaskMetric {
    std::string logits, targets; ///< taps they were read from; targets empty: none
    Shape leading;               ///< of the logits, without the vocabulary
    std::int64_t vocabulary = 0;
    std::int64_t tokens = 0; ///< those counted; a mask may leave some out
    std::int64_t agreed = 0;
    std::int64_t cannotFlip = 0; ///< tokens whose margin exceeds twice their largest error
    std::int64_t tiedReference = 0, tiedCandidate = 0;
    std::int64_t undefinedReference = 0, undefinedCandidate = 0; ///< rows with NaN or +inf: no guess
    Estimate kl; ///< KL(reference || candidate), nats per token
    double klLargest = 0;
    std::int64_t klLargestToken = -1;
    std::optional<Flip> firstFlip;
    ToleranceBound safe;                    ///< the loosest at which no error within it flips a token
    std::optional<ToleranceBound> observed; ///< below it every token that flipped here has an element outside
    std::optional<TargetScore> scored;
    std::vector<std::string> notes;

    Estimate agreement() const { return shareOf(agreed, tokens); }
    double headroom() const { return shareOf(cannotFlip, tokens).value; }
    std::int64_t flips() const { return tokens - agreed; }
    double oneFlip() const { return 1 / static_cast<double>(tokens); } ///< what one token is worth
};

struct TaskTensors {
    TensorView reference, candidate;   ///< logits [.., vocabulary] of one shape, real numbers
    std::optional<TensorView> targets; ///< one whole number per token; negative: no target
    std::optional<TensorView> mask;    ///< of the logits' shape; a token without a true element is left out
};

/// Errors: mismatch for shapes, types and targets that do not fit; truncated when a mapped file became
/// shorter; cancelled. Names and notes of the result are the caller's to fill in.
Result<TaskMetric> measureTask(const TaskTensors& tensors, const Progress& progress = {});

} // namespace divdet
