#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "compare/comparison.h"
#include "judge/taps/chain.h"

namespace divdet {

/// What the taps of two dumps say together, without a graph. Lists are parallel to the facts given.
struct TapsJudgement {
    std::vector<std::vector<Finding>> findings;    ///< strongest first
    std::vector<std::optional<PairClass>> classes; ///< none: nothing can be said of this tap
    std::optional<std::size_t> first;              ///< the first tap in the order of execution that is a bug;
                                                   ///< without one the first that is unclear
};

/// Relative error of each tap that needs no cause of its own: what earlier taps and the arithmetic explain.
std::vector<double> expectedErrors(std::span<const NamedFacts> facts, const TapContext& context);

/// `known`: classes that the pairs have by themselves. A pair that is a bug by itself counts when it comes
/// to which tap is the first; of one that is known to inherit (its inputs differ) nothing is said. Later taps
/// that only carry an error on are `inherited`. With nothing declared, a bug that one lossy step of the
/// candidate would explain is unclear, unless its role is clean in an earlier layer: a backend's step would
/// have shown there too.
TapsJudgement judgeTaps(std::span<const NamedFacts> facts, const TapContext& context,
                        std::span<const std::optional<PairClass>> known = {});

/// Loads each pair of the comparison once more, judges all together, and enters the result: findings and
/// class of each pair, and Comparison::firstBad. Does nothing with fewer than two taps to judge,
/// and with taps that are repeats of one output (repeats.h). A cancelled
/// look enters nothing.
void judgeTogether(Comparison& comparison, const TapContext& context, const Progress& progress);

} // namespace divdet
