#pragma once
#include <vector>

#include "judge/honest/honest_errors.h"
#include "session/advise/draw.h"

namespace divdet {

/// Theory and honest runs on a few draws of the data.
struct HonestRuns {
    honest::HonestErrors errors;
    std::vector<Draw> draws;
    std::vector<std::vector<double>> outputs; ///< of each draw
    /// What sigma is multiplied by, so that theory is not narrower than the runs; 1 where it was not. Sums of
    /// products that share trailing bits, as of fp8 or positive bf16 numbers, spread wider than theory has
    /// it.
    double widening = 1;
};

/// What so many draws hold at one time, in bytes: beside one run (block::runBytes) the numbers of each, and
/// what is expected of each element. Measured peaks were at most that.
std::uint64_t honestRunBytes(const AdvisedBlock& block, int draws);

/// Error: refused for draws that would hold more than block::maxRunBytes().
Status checkHonestRunBytes(const AdvisedBlock& block, int draws);

/// Seeds are `seed`, `seed` + 1, … Errors: those of checkHonestRunBytes and of running the block.
Result<HonestRuns> honestRuns(const AdvisedBlock& block, std::uint64_t seed, int draws,
                              const AdviseTarget& target, const Progress& progress);

} // namespace divdet
