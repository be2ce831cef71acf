#pragma once
#include <cstdint>
#include <optional>

#include "session/result_file.h"

namespace divdet::result {

/// Bytes of a file, or of the files of a folder together; none where there is nothing to measure.
std::optional<std::uint64_t> storedSize(const std::filesystem::path& path);

/// Gives every pair a `load` that opens the recorded dumps, once, when elements are first asked for.
void attachDumps(Comparison& comparison, const SavedResult& saved);

} // namespace divdet::result
