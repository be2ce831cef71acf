#pragma once
#include <string>

#include "cli/terminal.h"
#include "session/sane/sane_tolerance.h"

namespace divdet::cli {

/// Every run by what it needs, whether a bug can be told apart, and the windows in words.
std::string saneText(const SaneRuns& runs, const SaneTolerance& sane, const Paint& paint);

} // namespace divdet::cli
