#pragma once
#include <optional>

#include "hunt/command_oracle.h"
#include "session/compare_dumps.h"
#include "session/hunt/bad_when.h"

namespace divdet {

struct CommandHuntRequest {
    hunt::HuntCommand command;
    hunt::HuntOptions options; ///< with items and form; the state's fingerprint is filled in
    /// The dump that each run writes against its reference: the comparison is the answer, not the exit code.
    std::optional<CompareRequest> compare;
    BadWhen bad; ///< of the comparison; automatic: the verdict
};

struct CommandHunt {
    CommandHuntRequest request;
    hunt::HuntResult result;
};

/// Which items make a user's command fail. Errors: those of hunting and of making the oracle; notFound for a
/// reference that is not there.
Result<CommandHunt> huntCommand(Session& session, const CommandHuntRequest& request,
                                const Progress& progress = {}, const hunt::HuntEvents& events = {});

} // namespace divdet
