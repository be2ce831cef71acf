#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compare/comparison.h"
#include "judge/local/allowed.h"
#include "run/taps.h"

namespace divdet::local {

/// The reals that round to nearest `stored` in `dtype`; an infinity stands for all that overflow.
struct Preimage {
    double low, high;
};
Preimage preimage(double stored, DType dtype);

/// Distance of a stored number from what the arithmetic allows, in units of the bound: 0 where some real
/// number that rounds to `stored` is the exact result, 1 at the edge of the bound. NaN on both sides scores
/// 0, on one side infinity.
double score(double stored, DType dtype, double exact, double bound);

/// A run to judge, and what is declared of it.
struct RecordedRun {
    const lower::LoweredGraph& declared;
    /// Inputs and weights by ValueIndex, as the run got them; a tensor without data where nobody has them.
    const std::vector<Tensor>& inputs;
    const run::Taps& candidate;
    numerics::Arch arch;
    Order order;
};

/// One op judged on the inputs it really read. Nothing is inherited: an op that computes rightly on wrong
/// inputs is clean.
struct OpResidual {
    std::string op;                ///< name of its output, hence of its tap
    BoundScore score;              ///< beyond > 0: proof of other arithmetic than declared
    std::int64_t firstBeyond = -1; ///< flat index
    std::int64_t worst = -1;       ///< flat index of the one beyond that is furthest from the exact result
    double exactAtWorst = 0, storedAtWorst = 0, boundAtWorst = 0;
    /// Of a variance in one pass: elements that are off by more than a hundredth of the tap's rms and within
    /// the bound all the same, because the subtraction promises nothing. Other declared arithmetic may be
    /// that coarse.
    std::int64_t unpromised = 0;
    std::string unjudged; ///< why there is no score; empty: there is one
    /// Ops before it whose results were not recorded: the score is that of all of them together.
    std::vector<std::string> together{};
};

/// rms of the scores above which an op is suspect although no element is beyond its bound: twice the largest
/// of honest runs.
inline constexpr double kSuspectRms = 0.25;

/// What op number `op` of the declared program read in that run, as it was stored. Error: notFound, naming a
/// value that was not recorded.
Result<std::vector<Tensor>> inputsRead(const RecordedRun& run, std::size_t op);

/// A bound larger than this part of the result, both as rms, says nothing: too little was recorded before it.
inline constexpr double kTellsNothing = 0.25;

/// An input, weight or tap as the declared program stores it. Errors: those of converted().
Result<Tensor> storedAs(const lower::LoweredGraph& declared, block::ValueIndex value, const Tensor& given);

/// Op number `op` of the declared program. What it reads and nobody recorded is bounded from what was
/// (allowed_at.h). An op whose output was not recorded, or for which there is no bound that tells anything,
/// says so in `unjudged`. Error: cancelled.
Result<OpResidual> residual(const RecordedRun& run, std::size_t op, const Progress& progress = {});

/// All of them, in the program's order.
Result<std::vector<OpResidual>> localResiduals(const RecordedRun& run, const Progress& progress = {});

} // namespace divdet::local
