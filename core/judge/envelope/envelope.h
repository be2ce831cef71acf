#pragma once
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "compare/signed_histogram.h"
#include "judge/envelope/flagged.h"
#include "judge/local/allowed.h"
#include "run/taps.h"

/// What theory expects of a run under the declared arithmetic, before any run: for every element the value in
/// the mean and the variance around it. Steps that are known exactly (rounded weights, quantised weights,
/// another formula) move the mean; roundings of numbers that are themselves uncertain, and of sums on their
/// way, spread it. Uniform over an ulp and independent: variances of second moments add (Fang and Chen 2024,
/// arXiv 2405.07537).
namespace divdet::envelope {

/// Of one value of the graph, row-major.
struct Field {
    std::vector<double> mean;
    std::vector<double> variance; ///< empty: every number is certain
    bool known = false;           ///< false: an op before it has no rule, so nothing is said

    bool certain() const { return variance.empty(); }
    double varianceAt(std::size_t i) const { return variance.empty() ? 0 : variance[i]; }
};

/// By ValueIndex, for every value that the declared program has. Inputs without data are not known, nor is
/// what is computed from them. Errors: those of the ops, cancelled.
Result<std::vector<Field>> envelopeOf(const lower::LoweredGraph& declared, const std::vector<Tensor>& inputs,
                                      numerics::Arch arch, const Progress& progress = {});

/// z = (candidate − mean) / √variance over the elements with a variance. An element without one that differs,
/// and NaN where none is expected, count as infinite.
struct ZScore {
    std::int64_t elements = 0;
    double rms = 0, largest = 0;
    SignedHistogram histogram; ///< of the same elements; a NaN counts as +inf
};
ZScore zScore(const Field& field, const Tensor& candidate);

} // namespace divdet::envelope
