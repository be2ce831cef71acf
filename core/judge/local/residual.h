#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/local/allowed.h"
#include "run/taps.h"

namespace divdet::local {

/// Distance of a stored number from what the arithmetic allows, in units of the bound: 0 where some real
/// number that rounds to `stored` is the exact result, 1 at the edge of the bound. `low`, `high`: those
/// reals.
struct Preimage {
    double low, high;
};
/// The reals that round to nearest `stored` in `dtype`; an infinity stands for all that overflow.
Preimage preimage(double stored, DType dtype);
/// NaN on both sides scores 0, on one side infinity.
double score(double stored, DType dtype, double exact, double bound);

/// One op judged on the inputs it really read. Nothing is inherited: an op that computes rightly on wrong
/// inputs is clean.
struct OpResidual {
    std::string op; ///< name of its output, hence of its tap
    std::int64_t elements = 0;
    std::int64_t beyond = 0;       ///< elements with a score above 1: proof of other arithmetic than declared
    std::int64_t firstBeyond = -1; ///< flat index
    double largest = 0, rms = 0;   ///< of the scores
    std::int64_t worst = -1;       ///< flat index of the largest
    double exactAtWorst = 0, storedAtWorst = 0, boundAtWorst = 0;
    std::string unjudged; ///< why there is no score; empty: there is one
};

/// rms of the scores above which an op is suspect although no element is beyond its bound: 0.25, twice the
/// largest of honest runs.
inline constexpr double kSuspectRms = 0.25;

/// Every op of the program as declared, in its order, judged on the taps of a candidate run of the same
/// block. `inputs` are the block's inputs and weights by ValueIndex, as the run got them. An op of which the
/// candidate has not recorded an input or the output says so in `unjudged`. Error: cancelled.
Result<std::vector<OpResidual>> localResiduals(const lower::LoweredGraph& declared,
                                               const std::vector<Tensor>& inputs, const run::Taps& candidate,
                                               numerics::Arch arch, Order order,
                                               const Progress& progress = {});

} // namespace divdet::local
