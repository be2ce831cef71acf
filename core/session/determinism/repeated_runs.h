#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "run/inputs.h"
#include "run/racing_backend.h"
#include "run/taps.h"
#include "session/determinism/run_spread.h"

namespace divdet {

/// Runs of one block on one input, held against each other bit for bit.
struct RepeatedRuns {
    std::int64_t runs = 0;
    std::vector<TapOfRuns> taps; ///< what ops wrote, in depth order; inputs are the same by nature
    std::optional<std::size_t> firstVarying; ///< the taps behind it may vary because of it
    std::int64_t equal = 0, varying = 0;     ///< taps
    std::optional<std::int64_t> firstRun;    ///< the first run that differed from run 0
    run::RaceSeen seen;                      ///< of the threads that raced
    double seconds = 0;

    bool sameBits() const { return varying == 0; }
};

/// Collects `runs` taps from `one(i)`, i = 0 …; reports runs done as `what`. Errors: those of `one`; mismatch
/// when two runs have other taps; cancelled.
Result<RepeatedRuns> repeatRuns(std::int64_t runs, const std::function<Result<run::Taps>(std::int64_t)>& one,
                                std::string_view what, const Progress& progress);

} // namespace divdet
