#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "block/bind.h"
#include "block/graph_json.h"
#include "block/open_block.h"
#include "lower/pass_info.h"
#include "lower/stages.h"
#include "run/inputs.h"
#include "session/block_inputs.h"
#include "session/block_setup.h"
#include "session/run_block.h"
#include "session/save_taps.h"

namespace divdet {
namespace {

Error unknownKind(const std::string& inputs) {
    return {ErrorCode::usage, fmt::format("'{}' is no kind of inputs", inputs), "--inputs",
            fmt::format("kinds are {}, file", fmt::join(block::inputKinds(), ", "))};
}

/// Layers are chosen before there is a graph, the other sizes in it.
Result<block::Graph> open(const BlockRequest& request, block::DimValues& dims) {
    if (request.graph) return *request.graph;
    block::PresetOptions options{request.norm, request.activation, std::nullopt};
    const auto layers = dims.find("layers");
    const std::string id = request.block.substr(0, request.block.find(':'));
    for (const block::PresetInfo& p : block::presetList())
        if (p.id == id && p.options.layers && layers != dims.end()) {
            options.layers = layers->second;
            dims.erase(layers);
            break;
        }
    return block::openBlock(request.block, options);
}

Status fill(block::Graph& graph, const BlockRequest& request) {
    const auto kind = block::parseInputKind(request.inputs);
    const bool fromFile = request.inputs == "file";
    if (!kind && !fromFile && !request.inputs.empty()) return unknownKind(request.inputs);
    if (fromFile && request.inputFile.empty())
        return Error{ErrorCode::usage, "inputs from a file need the file", "--inputs",
                     "give it with --input-file"};
    if (kind) block::setInputKind(graph, *kind);
    if (request.inputFile.empty()) return Done{};
    const auto filled = fillFromFile(graph, request.inputFile);
    if (!filled) return filled.error();
    for (const block::Value& v : graph.values)
        if (fromFile && v.role == block::Role::input && !v.data)
            return Error{ErrorCode::mismatch, fmt::format("the input {} is missing", v.name),
                         request.inputFile, "leave out --inputs file, and it is drawn"};
    return Done{};
}

} // namespace

Result<block::Graph> blockGraph(const BlockRequest& request) {
    block::DimValues dims(request.dims.begin(), request.dims.end());
    auto graph = open(request, dims);
    if (!graph) return graph.error();
    if (auto s = fill(*graph, request); !s) return s.error();
    auto bound = block::bind(*graph, dims);
    if (!bound) return bound.error();
    for (block::DimDefault& d : graph->dims) d.value = bound->dims.at(d.name);
    graph->values = bound->graph.values; // data as long as these sizes ask for
    return graph;
}

std::vector<lower::PassChoice> declaredPasses(const BlockRequest& request) {
    std::vector<lower::PassChoice> out;
    for (const auto& choice : lower::forRun(request.passes, request.runNumber))
        if (isDrift(choice, request)) out.push_back(choice);
    return out;
}

Status writeBlockGraph(Session& session, const BlockRequest& request, const std::filesystem::path& file) {
    auto graph = blockGraph(request);
    if (!graph) return graph.error();
    const auto device = session.backends().find(request.device);
    if (!device) return device.error();
    graph->made.reset(); // that of the graph it came from
    // The twin's name stands for every device with its bits: "cuda:0" is another card elsewhere.
    if (device->device.promise == run::Promise::exact) {
        graph->made = block::Made{"cpu:" + device->device.architecture, {}};
        for (const auto& choice : declaredPasses(request))
            graph->made->passes.push_back(lower::toString(choice));
    }
    return block::writeGraph(*graph, file);
}

Status writeBlockInputs(Session& session, const BlockRequest& request, const std::filesystem::path& file,
                        const Progress& progress) {
    if (auto s = checkDumpEnding(file); !s) return s;
    const auto graph = blockGraph(request);
    if (!graph) return graph.error();
    const auto bound = block::bind(*graph);
    if (!bound) return bound.error();
    const auto device = session.backends().find(request.device);
    if (!device) return device.error();
    const auto inputs =
        run::makeInputs(*bound, request.seed, &session.cache(), progress, device->backend.get());
    if (!inputs) return inputs.error();
    run::Taps all;
    for (block::ValueIndex i = 0; i < bound->graph.values.size(); ++i)
        if (bound->graph.values[i].role != block::Role::intermediate)
            all.taps.push_back({bound->graph.values[i].name, "input", inputs->tensors[i]});
    return saveTaps(all, file);
}

} // namespace divdet
