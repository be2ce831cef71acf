#include <algorithm>
#include <array>

#include "session/advise/advised_block.h"
#include "session/lists.h"

namespace divdet {
namespace {

/// What a block calls its sizes, and the option that stands for it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kShort{
    {{"tokens", "m"}, {"width", "k"}, {"hidden", "n"}}};
constexpr std::string_view kOptions[] = {"m", "n", "k", "layers", "heads", "vocab"};

std::string optionOf(const std::string& dim) {
    const auto known =
        std::find_if(kShort.begin(), kShort.end(), [&](const auto& s) { return s.first == dim; });
    return known == kShort.end() ? dim : std::string(known->second);
}

} // namespace

Result<std::vector<AdviseSize>> adviseSizes(const std::string& op) {
    std::vector<AdviseSize> out;
    const auto add = [&out](const std::string& name, std::int64_t value) {
        const std::string option = optionOf(name);
        if (std::find(std::begin(kOptions), std::end(kOptions), option) != std::end(kOptions))
            out.push_back({option, name, value});
    };
    // Of a trained block only some sizes can be chosen; its list says which.
    const auto blocks = listBlocks();
    const auto block = std::find_if(blocks.begin(), blocks.end(), [&](const auto& b) { return b.id == op; });
    const auto ops = adviseOps();
    const bool own = std::find(ops.begin(), ops.end(), op) != ops.end();
    if (!own && block != blocks.end()) {
        for (const auto& d : block->dims) add(d.name, d.value);
        return out;
    }
    AdviseRequest request;
    request.op = op;
    const auto made = advisedBlock(request);
    if (!made) return made.error();
    for (const auto& d : made->block.graph.dims) add(d.name, made->block.dims.at(d.name));
    return out;
}

} // namespace divdet
