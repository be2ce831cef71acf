#pragma once
#include "report/json_number.h"
#include "session/hunt/find_stage.h"
#include "session/hunt/hunt_block.h"
#include "session/hunt/hunt_command.h"

namespace divdet {

/// The document of `divdet bisect --json`; what only the other kind of hunt has is null.
Json toJson(const BlockHunt& hunt);
Json toJson(const CommandHunt& hunt);

/// The document of `divdet stages --json`.
Json toJson(const StagesResult& stages);

} // namespace divdet
