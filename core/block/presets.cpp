#include "block/presets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace divdet::block {
namespace presets {
#define DIVDET_PRESET(function, id, title, sentence) Graph function();
#include "block/presets/presets.def"
#undef DIVDET_PRESET
} // namespace presets

std::vector<PresetInfo> presetList() {
    return {
#define DIVDET_PRESET(function, id, title, sentence) PresetInfo{id, title, sentence},
#include "block/presets/presets.def"
#undef DIVDET_PRESET
    };
}

Result<Graph> preset(std::string_view wanted) {
#define DIVDET_PRESET(function, id, title, sentence)                                                         \
    if (wanted == id) return presets::function();
#include "block/presets/presets.def"
#undef DIVDET_PRESET
    std::vector<std::string_view> ids;
    for (const PresetInfo& p : presetList()) ids.push_back(p.id);
    return Error{ErrorCode::notFound, fmt::format("there is no block named {}", wanted), std::string(wanted),
                 fmt::format("the blocks are {}", fmt::join(ids, ", "))};
}

} // namespace divdet::block
