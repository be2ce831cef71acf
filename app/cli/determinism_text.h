#pragma once
#include <string>

#include "cli/terminal.h"
#include "session/determinism/lab.h"
#include "session/determinism/run_spread.h"

namespace divdet::cli {

std::string spreadText(const RunSpread& spread, const Paint& paint);
std::string labText(const LabResult& result, const Paint& paint);

} // namespace divdet::cli
