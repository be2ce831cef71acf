#include "block/open_block.h"

#include <fmt/format.h>

#include "block/graph_json.h"

namespace divdet::block {

Result<Graph> openBlock(std::string_view spec, const PresetOptions& options) {
    constexpr std::string_view kJson = "json:";
    if (!spec.starts_with(kJson)) return preset(spec, options);
    const std::string file(spec.substr(kJson.size()));
    if (options != PresetOptions{})
        return Error{ErrorCode::usage, "a graph from a file has no norm, activation or layers to choose",
                     file, "change the file"};
    if (file.empty()) return Error{ErrorCode::usage, "json: names no file", "", "write json:FILE"};
    return readGraph(file);
}

} // namespace divdet::block
