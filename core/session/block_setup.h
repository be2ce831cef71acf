#pragma once
#include <string>
#include <vector>

#include "base/progress.h"
#include "block/bind.h"
#include "lower/pass_choice.h"
#include "run/inputs.h"
#include "run/registry.h"
#include "run/taps.h"
#include "session/run_block.h"

namespace divdet {

/// What is the same for the reference of a block, its run, and each pass alone.
struct BlockSetup {
    block::BoundGraph graph;
    run::Inputs inputs;
    run::BackendRegistry::Found device;
    run::Taps reference;
};

/// Errors: those of blockGraph and bind; usage for a pass of the request that does not fit; those of the
/// device and of running the reference.
Result<BlockSetup> prepareBlock(Session& session, const BlockRequest& request, const Progress& progress);

/// Runs the block with these passes instead of the request's. `notes` (may be null) gets what lowering says.
Result<run::Taps> runWithPasses(Session& session, const BlockSetup& setup,
                                const std::vector<lower::PassChoice>& passes, const BlockRequest& request,
                                std::vector<std::string>* notes, const Progress& progress);

/// Whether a pass counts as drift in this request: by kind, or because it is declared.
bool isDrift(const lower::PassChoice& choice, const BlockRequest& request);

} // namespace divdet
