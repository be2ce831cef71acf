#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "block/graph.h"

namespace divdet::block {

/// What of a preset can be chosen beside its sizes. Empty: as the preset has it.
struct PresetOptions {
    std::string norm;                   ///< rms, layer
    std::string activation;             ///< gelu, silu, relu
    std::optional<std::int64_t> layers; ///< 1 to kMaxLayers

    bool operator==(const PresetOptions&) const = default;
};

inline constexpr std::int64_t kMaxLayers = 64;

std::vector<std::string_view> normNames();
std::vector<std::string_view> activationNames();

/// The options that a preset knows.
struct OptionSet {
    bool norm = false, activation = false, layers = false;
};

struct PresetInfo {
    std::string_view id, title, sentence;
    OptionSet options;
};

/// In the order of presets.def; the first is the default.
std::vector<PresetInfo> presetList();

/// The graph of a preset, valid by construction. `stack:N` is `stack` with N layers. Errors: notFound names
/// the ones there are; usage for an option that the preset does not know, or a value that the option has not.
Result<Graph> preset(std::string_view id, const PresetOptions& options = {});

} // namespace divdet::block
