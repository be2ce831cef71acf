#pragma once
#include "lower/lowered.h"
#include "run/registry.h"
#include "session/determinism/lab.h"

/// The sources of variation of a live block, one function each. An error of a run that is no cancellation
/// becomes the reason why a source was not measured.
namespace divdet::lab {

/// The block that every source runs.
struct Bench {
    const LabRequest& request;
    block::BoundGraph graph;
    run::Inputs inputs;
    run::BackendRegistry::Found device;

    /// The request's passes and more. Errors: those of checkFit and lower.
    Result<lower::LoweredGraph> lowered(const std::vector<lower::PassChoice>& more) const;
    /// One run; `backend` runs the ops.
    Result<run::Taps> run(const lower::LoweredGraph& program, run::Backend& backend,
                          const Progress& progress) const;
};

Result<SourceResult> measure(Variation source, const Bench& bench, const Progress& progress);

/// The device's racing kernels; null: it has none.
run::RacingBackend* racing(const Bench& bench);

/// The request's passes and atomic additions where a sum of the block can have them.
Result<lower::LoweredGraph> programLeftToChance(const Bench& bench);

/// In N runs with the switch on. Errors: cancelled; of a run.
Result<SwitchResult> measureSwitch(const Bench& bench, const Progress& progress);

/// Pairs of runs with the switch off and on, one after the other, the first of a pair by turns. Precondition:
/// the device races. Errors: of a run; cancelled.
Result<std::vector<TimedPair>> timePairs(const Bench& bench, const Progress& progress);

} // namespace divdet::lab
