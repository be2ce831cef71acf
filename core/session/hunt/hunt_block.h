#pragma once
#include "session/hunt/bad_when.h"
#include "session/hunt/block_items.h"

namespace divdet {

struct BlockHuntRequest {
    BlockRequest block; ///< with every pass that is under suspicion
    Over over = Over::passes;
    BadWhen bad;
    hunt::HuntOptions options; ///< items, form and the state's fingerprint are filled in
};

struct BlockHunt {
    BlockHuntRequest request; ///< filled in; `bad` is settled
    hunt::HuntResult result;
    std::vector<BlockRequest> alone;   ///< per set of culprits: the run of it alone
    std::vector<std::string> commands; ///< the `divdet run` of each
};

/// Which passes, ops or layers of a live block make it bad. Errors: those of running the block, of hunting;
/// usage.
Result<BlockHunt> huntBlock(Session& session, const BlockHuntRequest& request, const Progress& progress = {},
                            const hunt::HuntEvents& events = {});

/// What automatic means for a block: it is run once with everything on. A crash says crash.
Result<BadWhen> settleForBlock(Session& session, const BlockRequest& request, const Progress& progress);

} // namespace divdet
