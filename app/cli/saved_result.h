#pragma once
#include "cli/dump_options.h"
#include "session/reopen_result.h"

namespace divdet::cli {

/// The result file named in place of two dumps, judged again. Errors: usage when the one file is a dump, or
/// when options of pairing are given, which are settled in a result file.
Result<SavedResult> reopen(const DumpOptions& dumps, const ToleranceOverrides& overrides,
                           const std::string& judge);

} // namespace divdet::cli
