#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "block/bind.h"
#include "lower/pass_choice.h"
#include "run/backend.h"
#include "run/inputs.h"
#include "session/determinism/run_spread.h"

namespace divdet {

/// One row alone against the same row inside a batch.
struct RowAgainstBatch {
    std::vector<TapOfRuns> taps; ///< of the row; two runs each
    std::optional<std::size_t> firstVarying;
    std::int64_t varying = 0; ///< taps

    bool sameBits() const { return varying == 0; }
};

struct BatchInvariance {
    std::int64_t batch = 0, row = 0;
    struct Split {
        std::string op;
        std::int64_t k = 0;
        int alone = 1, inBatch = 1; ///< chunks of its sum, as splitsFor has them
    };
    std::vector<Split> splits; ///< by product
    int fixedSplits = 0;
    RowAgainstBatch byBatch; ///< each with the split of its own size
    RowAgainstBatch fixed;   ///< both with the same split
};

/// Into how many chunks k is cut so that a product of m x n keeps 128 thread blocks busy: tiles of 16 x 64,
/// chunks of 64 terms and more. A rule of this program, of the kind that libraries have; theirs are not
/// published.
int splitsFor(std::int64_t m, std::int64_t n, std::int64_t k);

/// Why a row of this block is no run of its own: an op that mixes rows, or an input without rows. Empty: it
/// is. Rows are those of the first dimension of inputs.
std::string whyRowsMix(const block::BoundGraph& block);

/// Runs the block with these passes on its inputs, and on one of their rows (the middle one) alone.
/// Precondition: whyRowsMix is empty and the passes fit. Errors: usage for a batch of one row; of the device;
/// cancelled.
Result<BatchInvariance> batchInvariance(const block::BoundGraph& block,
                                        const std::vector<lower::PassChoice>& passes,
                                        const run::Inputs& inputs, run::Backend& backend,
                                        const run::DeviceId& device, const Progress& progress);

} // namespace divdet
