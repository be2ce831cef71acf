#include "session/lists.h"

#include "block/open_block.h"
#include "lower/lower.h"

namespace divdet {
namespace {

std::optional<block::BoundGraph> bound(const std::string& id) {
    auto graph = block::openBlock(id);
    if (!graph) return std::nullopt;
    auto b = block::bind(*graph);
    if (!b) return std::nullopt;
    return std::move(*b);
}

} // namespace

std::vector<BlockInfo> listBlocks() {
    std::vector<BlockInfo> out;
    for (const auto& p : block::presetList()) {
        auto graph = block::preset(p.id);
        if (!graph) continue;
        BlockInfo info{std::string(p.id), std::string(p.title), std::string(p.sentence), {},
                       graph->taps(),     graph->outputs()};
        for (const auto& d : graph->dims)
            if (!d.fixed || (p.options.layers && d.name == "layers")) info.dims.push_back({d.name, d.value});
        out.push_back(std::move(info));
    }
    return out;
}

std::vector<std::string> listInputKinds() {
    std::vector<std::string> out;
    for (auto k : block::inputKinds()) out.emplace_back(k);
    return out;
}

std::vector<lower::PassInfo> listPasses() {
    return lower::passList();
}

std::vector<run::DeviceInfo> listDevices(const Session& session) {
    return session.backends().devices();
}

std::string whyPassDoesNotFit(const std::string& blockId, const std::string& passId) {
    const auto graph = bound(blockId);
    const auto choice = lower::parsePass(passId);
    if (!graph) return "no such block";
    if (!choice) return choice.error().message;
    const auto fits = lower::checkFit(*graph, *choice);
    return fits ? std::string() : fits.error().message;
}

std::vector<std::string> whyPassesDoNotFit(const BlockRequest& request,
                                           const std::vector<lower::PassChoice>& choices) {
    BlockRequest plain = request;
    plain.inputs.clear();
    plain.inputFile.clear();
    std::vector<std::string> why(choices.size());
    const auto graph = blockGraph(plain);
    if (!graph) return why;
    const auto bound = block::bind(*graph);
    if (!bound) return why;
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (const auto fits = lower::checkFit(*bound, choices[i]); !fits) why[i] = fits.error().message;
    return why;
}

std::vector<lower::PassChoice> startPasses(const std::string& blockId) {
    const auto graph = bound(blockId);
    return graph ? lower::defaultPasses(*graph) : std::vector<lower::PassChoice>{};
}

} // namespace divdet
