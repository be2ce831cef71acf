#pragma once
#include "base/progress.h"
#include "base/result.h"
#include "run/execute.h"
#include "run/memory_plan.h"

namespace divdet::run {

/// Runs the program twice in the memory of a plan, as a captured graph is replayed: first on `previous`, then
/// on `inputs`; returns the taps of the second run, each copied when it was written. Between the runs memory
/// is left as it is. An op with Buffer::stale writes its buffer in the first run only, so in the second its
/// readers, and its tap, get what lies there: the value that the previous inputs gave. With a plan of
/// planMemory and no such op the bits are those of execute(). The cache of the target is not used. Errors: as
/// execute(); internal for a plan that is not of this graph.
Result<Taps> replay(const lower::LoweredGraph& graph, const MemoryPlan& plan, const Inputs& previous,
                    const Inputs& inputs, const Target& target, const Progress& progress = {});

/// Whether some op's slots mean something only when the program is replayed.
bool needsReplay(const lower::LoweredGraph& graph);

/// Runs the program as its slots ask: replayed after otherInputs, in the memory of planMemory, where
/// needsReplay (by the backend itself where it can: Backend::replayProgram), and else by execute(). `seed` is
/// that of the inputs.
Result<Taps> runProgram(const lower::LoweredGraph& graph, const Inputs& inputs, std::uint64_t seed,
                        const Target& target, const Progress& progress = {});

/// The same weights, and other numbers for the block's inputs: those of the next seed, or, where an input is
/// not drawn from one, its elements in reverse order. Error: cancelled.
Result<Inputs> otherInputs(const block::BoundGraph& block, const Inputs& inputs, std::uint64_t seed,
                           const Progress& progress = {}, Backend* backend = nullptr);

} // namespace divdet::run
