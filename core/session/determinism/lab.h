#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "determinism/switch_cost.h"
#include "session/determinism/batch_invariance.h"
#include "session/determinism/repeated_runs.h"
#include "session/run_block.h"

namespace divdet {

/// Where bits may come from that are not those of the run before, or of another machine or setting.
enum class Variation : std::uint8_t {
    atomics,    ///< sums by atomic additions: from run to run
    autotune,   ///< the order that measured fastest is taken, anew each time: from run to run
    tf32,       ///< fp32 products on TF32 tensor cores, by mode of rounding: from setting to setting
    accumulate, ///< partial sums in reduced precision: from setting to setting
    batch,      ///< a row alone and inside a batch: from batch to batch
};
inline constexpr Variation kVariations[] = {Variation::atomics, Variation::autotune, Variation::tf32,
                                            Variation::accumulate, Variation::batch};
std::string_view name(Variation source); ///< atomics, autotune, tf32, accumulate, batch
std::optional<Variation> parseVariation(std::string_view text);

/// What the determinism lab does with a live block.
struct LabRequest {
    /// Passes that are on in every run; seeds and sizes as for any run. Cache and tolerance play no part.
    BlockRequest block;
    std::int64_t runs = 0;    ///< of the race, and again with the switch on; 0: usualRuns
    std::int64_t pairs = 30;  ///< timed pairs for the cost of the switch; 0: it is not measured
    std::int64_t trials = 20; ///< autotunings
    int threads = 0;          ///< that race; 0: the machine's, two at least
    bool switchOnly = false;  ///< only the runs with the switch on: then what it refuses is an error
    std::vector<Variation> sources{std::begin(kVariations), std::end(kVariations)};
};

/// One setting of a source that differs by setting.
struct Setting {
    std::string label;
    bool steady = false; ///< every repetition of it had the same bits
};

struct SourceResult {
    Variation source;
    std::string notMeasured;       ///< why; empty: it was
    RepeatedRuns runs;             ///< atomics, autotune: runs; tf32, accumulate: one for each setting
    std::vector<Setting> settings; ///< tf32, accumulate
    std::int64_t repetitions = 0;  ///< of each setting
    std::map<std::string, std::int64_t> chosen; ///< autotune: how often each order won
    std::optional<BatchInvariance> batch;

    bool measured() const { return notMeasured.empty(); }
};

/// The runs with the switch on.
struct SwitchResult {
    std::optional<Error> refused;     ///< an op has no ordered variant
    std::vector<std::string> changes; ///< by op, what was fixed
    std::optional<RepeatedRuns> runs;
};

struct LabResult {
    LabRequest request; ///< runs, device and dims filled in
    std::string deviceTitle;
    std::vector<std::string> raced; ///< ops whose sums are left to chance with the switch off
    std::vector<SourceResult> sources;
    std::optional<SwitchResult> fixed;
    std::optional<SwitchCost> cost;
    std::string costNotMeasured; ///< why there is no cost; empty: there is, or it was not asked for
    std::vector<std::string> notes;
    bool complete = false;
    double seconds = 0;

    /// varies: some run had other bits than another one with the same settings, the switch being as asked.
    /// Nothing (no answer) where no source that could differ from run to run was measured.
    std::optional<bool> varies() const;
};

/// Called from the working thread whenever a part of the result is new.
struct LabEvents {
    std::function<void(const LabResult&)> part;
};

/// 1000 for a block of at most 2^28 products and additions, fewer for larger ones, 20 at least.
std::int64_t usualRuns(const block::BoundGraph& block);

/// Errors: those of blockGraph, bind, checkFit and of the device; what the switch refuses where switchOnly;
/// unsupported or others of a run; cancelled.
Result<LabResult> runLab(Session& session, const LabRequest& request, const Progress& progress = {},
                         const LabEvents& events = {});

} // namespace divdet
