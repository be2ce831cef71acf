#pragma once
#include <string_view>
#include <vector>

#include "block/graph.h"

namespace divdet::block {

struct PresetInfo {
    std::string_view id, title, sentence;
};

/// In the order of presets.def; the first is the default.
std::vector<PresetInfo> presetList();

/// The graph of a preset, valid by construction. Error notFound names the ones there are.
Result<Graph> preset(std::string_view id);

} // namespace divdet::block
