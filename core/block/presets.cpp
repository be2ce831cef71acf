#include "block/presets.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace divdet::block {
namespace presets {
#define DIVDET_PRESET(function, id, title, sentence, ...) Graph function(const PresetOptions& options);
#include "block/presets/presets.def"
#undef DIVDET_PRESET
} // namespace presets

namespace {

struct Preset {
    PresetInfo info;
    Graph (*make)(const PresetOptions& options);
};

const std::vector<Preset>& all() {
    static const std::vector<Preset> list{
#define DIVDET_PRESET(function, id, title, sentence, ...)                                                    \
    Preset{{id, title, sentence, OptionSet{__VA_ARGS__}}, presets::function},
#include "block/presets/presets.def"
#undef DIVDET_PRESET
    };
    return list;
}

Error unknownPreset(std::string_view wanted) {
    std::vector<std::string_view> ids;
    for (const Preset& p : all()) ids.push_back(p.info.id);
    return {ErrorCode::notFound, fmt::format("there is no block named {}", wanted), std::string(wanted),
            fmt::format("the blocks are {}", fmt::join(ids, ", "))};
}

Status checkChoice(const PresetInfo& preset, bool known, std::string_view option, const std::string& value,
                   const std::vector<std::string_view>& values) {
    if (value.empty()) return Done{};
    if (!known)
        return Error{ErrorCode::usage, fmt::format("{} has no {} to choose", preset.id, option),
                     fmt::format("--{}", option), ""};
    if (std::find(values.begin(), values.end(), value) == values.end())
        return Error{ErrorCode::usage, fmt::format("there is no {} named {}", option, value),
                     fmt::format("--{}", option), fmt::format("it is one of {}", fmt::join(values, ", "))};
    return Done{};
}

Status checkLayers(const PresetInfo& preset, const PresetOptions& options) {
    if (!options.layers) return Done{};
    if (!preset.options.layers)
        return Error{ErrorCode::usage, fmt::format("{} has no layers to choose", preset.id), "--layers",
                     "stack has them"};
    if (*options.layers < 1 || *options.layers > kMaxLayers)
        return Error{ErrorCode::usage, fmt::format("{} layers make no stack", *options.layers), "--layers",
                     fmt::format("choose 1 to {}", kMaxLayers)};
    return Done{};
}

/// `stack:4` as the id and its number of layers; both as given where there is no number.
Result<PresetOptions> splitLayers(std::string_view& id, PresetOptions options) {
    const auto colon = id.find(':');
    if (colon == std::string_view::npos) return options;
    const std::string_view digits = id.substr(colon + 1);
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (error != std::errc() || end != digits.data() + digits.size()) return unknownPreset(id);
    if (options.layers && *options.layers != n)
        return Error{ErrorCode::usage, fmt::format("{} and {} layers are asked for", n, *options.layers),
                     "--layers", "say it once"};
    id = id.substr(0, colon);
    options.layers = n;
    return options;
}

} // namespace

std::vector<std::string_view> normNames() {
    return {"rms", "layer"};
}

std::vector<std::string_view> activationNames() {
    return {"gelu", "silu", "relu"};
}

std::vector<PresetInfo> presetList() {
    std::vector<PresetInfo> list;
    for (const Preset& p : all()) list.push_back(p.info);
    return list;
}

Result<Graph> preset(std::string_view wanted, const PresetOptions& given) {
    std::string_view id = wanted;
    const auto options = splitLayers(id, given);
    if (!options) return options.error();
    for (const Preset& p : all()) {
        if (p.info.id != id) continue;
        if (auto s = checkChoice(p.info, p.info.options.norm, "norm", options->norm, normNames()); !s)
            return s.error();
        if (auto s = checkChoice(p.info, p.info.options.activation, "activation", options->activation,
                                 activationNames());
            !s)
            return s.error();
        if (auto s = checkLayers(p.info, *options); !s) return s.error();
        return p.make(*options);
    }
    return unknownPreset(wanted);
}

} // namespace divdet::block
