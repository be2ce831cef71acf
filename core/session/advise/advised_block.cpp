#include "session/advise/advised_block.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lower/lower.h"
#include "lower/pass_def.h"
#include "session/run_block.h"

namespace divdet {
namespace {

using block::FillKind;
using block::Graph;
using block::OpKind;

constexpr std::int64_t kRows = 64, kColumns = 64, kTerms = 512, kMostRows = 4096;
constexpr double kEps = 1e-6;
constexpr std::string_view kOperands[] = {"f32", "tf32", "bf16", "fp16", "int8", "fp8"};
constexpr std::string_view kAccumulators[] = {"f32", "fp16", "bf16"};
constexpr std::string_view kOutputs[] = {"f32", "bf16", "fp16"};

Graph withSizes(const char* name) {
    Graph g;
    g.name = name;
    g.dims = {{"m", kRows}, {"n", kColumns}, {"k", kTerms}};
    return g;
}
Graph rows(const char* name) {
    Graph g;
    g.name = name;
    g.dims = {{"m", kRows}, {"k", kTerms}};
    return g;
}

Graph matmul() {
    Graph g = withSizes("matmul");
    const auto x = g.addInput("x", {"m", "k"});
    const auto w = g.addWeight("w", {"k", "n"}, {FillKind::normal});
    g.markOutput(g.addOp(OpKind::matmul, "y", {x, w}));
    return g;
}
Graph linear() {
    Graph g = withSizes("linear");
    const auto x = g.addInput("x", {"m", "k"});
    const auto w = g.addWeight("weight", {"k", "n"}, {FillKind::normal, 1, 0, 1, {"k", "k"}}); // 1/√k
    const auto bias = g.addWeight("bias", {"n"}, {FillKind::normal, 0.1});
    g.markOutput(g.addOp(OpKind::matmul, "y", {x, w, bias}));
    return g;
}
Graph reduction() {
    Graph g = rows("reduction");
    g.markOutput(g.addOp(OpKind::reduce_sum, "y", {g.addInput("x", {"m", "k"})}));
    return g;
}
Graph rmsnorm() {
    Graph g = rows("rmsnorm");
    const auto x = g.addInput("x", {"m", "k"});
    const auto gain = g.addWeight("gain", {"k"}, {FillKind::ones});
    g.markOutput(g.addOp(OpKind::rmsnorm, "y", {x, gain}, {{"eps", kEps}}));
    return g;
}
Graph layernorm() {
    Graph g = rows("layernorm");
    const auto x = g.addInput("x", {"m", "k"});
    const auto gain = g.addWeight("gain", {"k"}, {FillKind::ones});
    const auto bias = g.addWeight("bias", {"k"}, {FillKind::zeros});
    g.markOutput(g.addOp(OpKind::layernorm, "y", {x, gain, bias}, {{"eps", kEps}}));
    return g;
}
Graph softmax() {
    Graph g = rows("softmax");
    g.markOutput(g.addOp(OpKind::softmax, "y", {g.addInput("x", {"m", "k"})}));
    return g;
}
/// m queries and n keys of one head of size k.
Graph attention() {
    Graph g = withSizes("attention");
    g.dims = {{"m", kRows}, {"n", kColumns}, {"k", 64}};
    const auto q = g.addInput("q", {"m", "k"}), keys = g.addInput("keys", {"n", "k"}),
               values = g.addInput("values", {"n", "k"});
    const auto turned = g.addOp(OpKind::transpose, "keys_t", {keys});
    const auto scores = g.addOp(OpKind::matmul, "scores", {q, turned});
    const auto scaled = g.addOp(OpKind::scale, "scaled", {scores}, {{"rsqrt_of", "k"}});
    const auto probs = g.addOp(OpKind::softmax, "probs", {scaled});
    g.markOutput(g.addOp(OpKind::matmul, "y", {probs, values}));
    return g;
}
/// An m × m image of k channels, n output channels, a 3 × 3 kernel.
Graph conv() {
    Graph g = withSizes("conv");
    g.dims = {{"m", 16}, {"n", 32}, {"k", 64}};
    const auto x = g.addInput("x", {1, "k", "m", "m"});
    const auto w = g.addWeight("weight", {"n", "k", 3, 3}, {FillKind::normal, 1.0 / 3, 0, 1, {"k", "k"}});
    block::Attributes pads;
    for (const char* side : {"pad_top", "pad_left", "pad_bottom", "pad_right"}) pads[side] = std::int64_t{1};
    g.markOutput(g.addOp(OpKind::conv2d, "y", {x, w}, pads));
    return g;
}

struct NamedOp {
    std::string_view id;
    Graph (*make)();
};
constexpr NamedOp kOps[] = {{"matmul", matmul},   {"linear", linear},       {"reduction", reduction},
                            {"norm", rmsnorm},    {"rmsnorm", rmsnorm},     {"layernorm", layernorm},
                            {"softmax", softmax}, {"attention", attention}, {"conv", conv}};

Error noSuch(const std::string& option, const std::string& value, std::string_view what, const auto& known) {
    return {ErrorCode::usage, fmt::format("'{}' is no {}", value, what), option,
            fmt::format("choose one of {}", fmt::join(known, ", "))};
}

template <class List>
bool in(const List& list, const std::string& value) {
    return std::find(std::begin(list), std::end(list), value) != std::end(list);
}

/// A block of `divdet blocks`: m is its tokens, k its width, n its hidden size.
Result<Graph> presetGraph(const AdviseRequest& request, std::map<std::string, std::int64_t>& sizes) {
    BlockRequest block;
    block.block = request.op;
    block.inputs = request.inputs;
    if (const auto layers = sizes.find("layers"); layers != sizes.end()) {
        block.dims["layers"] = layers->second;
        sizes.erase(layers);
    }
    auto graph = blockGraph(block);
    if (!graph) {
        Error e = graph.error();
        if (e.code == ErrorCode::notFound)
            e.hint = fmt::format("ops are {}; {}", fmt::join(adviseOps(), ", "), e.hint);
        return e;
    }
    const auto rename = [&](const char* from, const char* to) {
        const auto has = [&](const char* name) {
            return std::any_of(graph->dims.begin(), graph->dims.end(),
                               [&](const auto& d) { return d.name == name; });
        };
        if (const auto at = sizes.find(from); at != sizes.end() && !has(from) && has(to)) {
            const auto value = at->second;
            sizes.erase(at);
            sizes[to] = value;
        }
    };
    rename("m", "tokens"), rename("k", "width"), rename("n", "hidden");
    return graph;
}

/// As many rows as the elements compared need.
void chooseRows(const AdviseRequest& request, const Graph& g, std::map<std::string, std::int64_t>& sizes) {
    if (request.elements <= 0 || sizes.count("m") || !in(adviseOps(), request.op) || request.op == "conv")
        return;
    const auto size = [&](const char* name) {
        for (const auto& d : g.dims)
            if (d.name == name) return sizes.count(name) ? sizes[name] : d.value;
        return std::int64_t{1};
    };
    std::int64_t perRow = size("n");
    if (request.op == "attention" || perRow == 1) perRow = size("k");
    if (request.op == "reduction") perRow = 1;
    perRow = std::max<std::int64_t>(1, perRow);
    sizes["m"] = std::clamp<std::int64_t>((request.elements - 1) / perRow + 1, 1, kMostRows);
}

Status declare(const AdviseRequest& request, AdvisedBlock& out) {
    const auto on = [&](const std::string& text) -> Status {
        auto choice = lower::parsePass(text);
        if (!choice) return choice.error();
        if (auto fits = lower::checkFit(out.block, *choice); !fits) {
            Error e = fits.error();
            e.hint = "choose another --dtype";
            return e;
        }
        out.declared.push_back(std::move(*choice));
        return Done{};
    };
    if (request.dtype != "f32")
        if (auto s = on(request.dtype); !s) return s;
    // A bias enters the accumulator, as in the libraries' own epilogues.
    const auto fuse = *lower::parsePass("fuse");
    if (out.single && lower::checkFit(out.block, fuse)) out.declared.push_back(fuse);
    if (request.accumulator == "f32") return Done{};
    if (!out.single)
        return Error{ErrorCode::usage,
                     fmt::format("{} is more than one sum, and its accumulators are f32", request.op),
                     "--acc", "choose matmul, linear, reduction or conv for another accumulator"};
    if (out.quantised())
        return Error{ErrorCode::usage, fmt::format("the accumulator of {} is not a choice", request.dtype),
                     "--acc", "leave it out"};
    const auto narrow = *lower::parsePass("wrong-accumulator=" + request.accumulator);
    if (auto fits = lower::checkFit(out.block, narrow); !fits)
        return Error{ErrorCode::usage,
                     fmt::format("{} has no running sum to choose an accumulator for", request.op), "--acc",
                     "leave it out"};
    out.declared.push_back(narrow);
    return Done{};
}

} // namespace

std::vector<std::string> adviseOps() {
    std::vector<std::string> out;
    for (const auto& op : kOps) out.emplace_back(op.id);
    return out;
}

std::vector<std::string> adviseDTypes() {
    return {std::begin(kOperands), std::end(kOperands)};
}
std::vector<std::string> adviseAccumulators() {
    return {std::begin(kAccumulators), std::end(kAccumulators)};
}
std::vector<std::string> adviseOutputs() {
    return {std::begin(kOutputs), std::end(kOutputs)};
}

std::int64_t AdvisedBlock::outputElements() const {
    std::int64_t n = 0;
    for (std::size_t i = 0; i < block.graph.values.size(); ++i)
        if (block.graph.values[i].output) n += *elementCount(block.shapes[i]);
    return n;
}

std::int64_t AdvisedBlock::products() const {
    std::int64_t n = 0;
    for (const auto& op : block.graph.ops)
        n += *elementCount(block.shapes[op.output]) * std::max<std::int64_t>(1, lower::termsOf(block, op));
    return n;
}

Result<AdvisedBlock> advisedBlock(const AdviseRequest& request) {
    if (!in(kOperands, request.dtype))
        return noSuch("--dtype", request.dtype, "dtype of operands", kOperands);
    if (!in(kAccumulators, request.accumulator))
        return noSuch("--acc", request.accumulator, "accumulator", kAccumulators);
    if (!request.output.empty() && !in(kOutputs, request.output))
        return noSuch("--out", request.output, "dtype of a result", kOutputs);
    const auto kind = block::parseInputKind(request.inputs);
    if (!kind) return noSuch("--inputs", request.inputs, "kind of inputs", block::inputKinds());
    auto sizes = request.sizes;
    Graph graph;
    const auto own =
        std::find_if(std::begin(kOps), std::end(kOps), [&](const NamedOp& o) { return o.id == request.op; });
    if (own != std::end(kOps)) {
        graph = own->make();
        block::setInputKind(graph, *kind);
    } else {
        auto preset = presetGraph(request, sizes);
        if (!preset) return preset.error();
        graph = std::move(*preset);
    }
    chooseRows(request, graph, sizes);
    auto bound = block::bind(graph, block::DimValues(sizes.begin(), sizes.end()));
    if (!bound) return bound.error();
    AdvisedBlock out{std::move(*bound), {}, DType::f32, request.dtype, request.accumulator, false};
    out.single = out.block.graph.ops.size() == 1;
    const std::string& stored = request.output.empty() ? request.dtype : request.output;
    out.output = stored == "bf16" ? DType::bf16 : stored == "fp16" ? DType::f16 : DType::f32;
    if (auto s = declare(request, out); !s) return s.error();
    return out;
}

Result<lower::LoweredGraph>
advisedProgram(const AdvisedBlock& b, const std::vector<lower::PassChoice>& faults, std::uint64_t runNumber) {
    auto all = b.declared;
    all.insert(all.end(), faults.begin(), faults.end());
    auto program = lower::lower(b.block, all, runNumber);
    if (!program) return program.error();
    for (lower::LoweredOp& op : program->ops) {
        if (!b.block.graph.values[op.output].output) continue;
        op.slots.storage = b.output;
        program->storage[op.output] = b.output;
    }
    return program;
}

} // namespace divdet
