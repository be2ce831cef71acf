#pragma once
#include <string_view>

#include "block/presets.h"

namespace divdet::block {

/// The graph that a user means: a preset (`mlp`, `stack:4`) or a file (`json:FILE`). Errors: those of
/// preset() and readGraph(); usage when options are given to a file, which states its own.
Result<Graph> openBlock(std::string_view spec, const PresetOptions& options = {});

} // namespace divdet::block
