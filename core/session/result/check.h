#pragma once
#include <optional>
#include <string>

#include "session/compare_dumps.h"

namespace divdet::result {

/// What contradicts itself in a comparison read from a file; none: it can be judged and shown.
std::optional<std::string> contradiction(const CompareResult& result);

} // namespace divdet::result
