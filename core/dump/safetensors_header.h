#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace divdet {

/// One tensor as the JSON header tells it; nothing is checked against the data yet.
struct SafetensorsEntry {
    std::string name, dtype;
    std::vector<std::uint64_t> shape;
    std::uint64_t begin = 0, end = 0; ///< from the start of the data
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries; ///< in the order of the file
    std::vector<std::pair<std::string, std::string>> metadata;
};

/// Strict: one JSON object, every tensor named once, every field given once and of its type; unknown fields
/// are skipped; of a metadata key given twice the last counts. Errors: malformed, with the offset in `json`.
Result<SafetensorsHeader> parseSafetensorsHeader(std::string_view json);

} // namespace divdet
