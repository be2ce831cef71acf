#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "determinism/tap_spread.h"
#include "dump/dump.h"
#include "dump/pairing.h"

namespace divdet {

/// Dumps of several runs of one program on one input.
struct RunSpreadRequest {
    std::vector<std::filesystem::path> runs; ///< two or more; the first names the taps and their order
    PairingOptions pairing;                  ///< `only`, `skip` and `order` as for a comparison
    LoadOptions load;
};

struct TapOfRuns {
    std::string name;
    DType dtype = DType::f32;
    Shape shape;
    std::optional<Error> error;      ///< of one run, or mismatch between them
    std::optional<TapSpread> spread; ///< none: it could not be compared, or is not in every run
};

struct RunSpread {
    std::vector<std::filesystem::path> runs;
    std::vector<TapOfRuns> taps; ///< of the first run, in depth order
    /// Taps that a run has alone or lacks, by run: `+name` and `-name`.
    std::vector<std::vector<std::string>> missing;
    std::optional<std::size_t> firstVarying; ///< in depth order: what varies first may make the rest vary
    std::int64_t equal = 0, varying = 0, notCompared = 0;
    double seconds = 0;

    /// Whether every tap could be compared in every run, so that no difference means the same bits.
    bool whole() const;
};

/// Errors: usage for fewer than two runs; those of openDump; cancelled. What only one tap has stands with it.
Result<RunSpread> spreadOfRuns(const RunSpreadRequest& request, const Progress& progress = {});

} // namespace divdet
