#pragma once
#include "session/determinism/lab.h"

namespace divdet {

/// The `divdet determinism` that measures the same.
std::string commandLine(const LabRequest& request);

} // namespace divdet
