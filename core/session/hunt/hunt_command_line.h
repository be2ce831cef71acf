#pragma once
#include "session/hunt/bad_when.h"
#include "session/hunt/block_items.h"

namespace divdet {

/// The `divdet bisect` that hunts the same.
std::string huntCommandLine(const BlockRequest& block, Over over, const BadWhen& bad, bool all, bool strict);

/// The `divdet stages` that asks the same.
std::string stagesCommandLine(const BlockRequest& block, const BadWhen& bad);

} // namespace divdet
