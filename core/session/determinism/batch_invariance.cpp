#include "session/determinism/batch_invariance.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "lower/lower.h"
#include "lower/pass_def.h"
#include "run/replay.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

using block::OpKind;

constexpr std::int64_t kBlocks = 128, kTileRows = 16, kTileColumns = 64, kShortestChunk = 64;
constexpr int kMostSplits = 64, kFixedSplits = 8;

std::int64_t tiles(std::int64_t n, std::int64_t tile) {
    return (n + tile - 1) / tile;
}

/// The dimension that counts rows: the first of the first input.
std::string rowDimension(const block::Graph& g) {
    for (const auto& v : g.values)
        if (v.role == block::Role::input) return v.dims.empty() ? "" : v.dims[0].symbol;
    return "";
}

bool keepsRowsApart(const block::BoundGraph& b, const block::Op& op) {
    switch (op.kind) {
    case OpKind::matmul:
        return b.graph.fromWeights(op.inputs[1]);
    case OpKind::add:
    case OpKind::mul:
    case OpKind::scale:
    case OpKind::rmsnorm:
    case OpKind::layernorm:
    case OpKind::gelu:
    case OpKind::silu:
    case OpKind::relu:
        return true;
    case OpKind::softmax:
    case OpKind::reduce_sum:
        return b.shapes[op.inputs[0]].size() > 1;
    case OpKind::embedding:
    case OpKind::causal_mask:
    case OpKind::transpose:
    case OpKind::split_heads:
    case OpKind::merge_heads:
    case OpKind::scatter_add:
    case OpKind::conv2d:
    case OpKind::quantize:
    case OpKind::dequantize:
        break;
    }
    return false;
}

Tensor rowOf(const Tensor& t, std::int64_t row) {
    const Tensor whole = compacted(t);
    Shape shape = whole.shape();
    const std::int64_t rows = shape[0];
    shape[0] = 1;
    TensorBuilder out(whole.dtype(), shape);
    const std::size_t bytes = out.bytes().size();
    if (rows > 0)
        std::memcpy(out.bytes().data(), whole.view().data + static_cast<std::size_t>(row) * bytes, bytes);
    return std::move(out).finish();
}

struct Side {
    lower::LoweredGraph program;
    run::Inputs inputs;
};

/// Every sum of products or terms in this many chunks; `splits` gives it for each op.
template <class Splits>
void cut(lower::LoweredGraph& program, const Splits& splits) {
    for (auto& op : program.ops) {
        const block::Op* written = program.block.graph.producer(op.output);
        if (op.fused.empty() && written && lower::termsOf(program.block, *written) > 0) {
            const int n = splits(program.block, *written);
            reset(op.slots, lower::Slot::order);
            if (n > 1) op.slots.order = lower::SumOrder::splitK, op.slots.splits = n;
        }
    }
}

int splitsOf(const block::BoundGraph& b, const block::Op& op) {
    const std::int64_t n = op.kind == OpKind::reduce_sum ? 1 : lower::columnsOf(b, op);
    const std::int64_t all = elementCount(b.shapes[op.output]).value_or(0);
    return splitsFor(n ? all / n : 0, n, lower::termsOf(b, op));
}

Result<RowAgainstBatch> against(const Side& alone, const Side& batch, std::int64_t row, run::Backend& backend,
                                const run::DeviceId& device, const Progress& progress) {
    const run::Target target{backend, device};
    const auto one = run::runProgram(alone.program, alone.inputs, 0, target, progress);
    if (!one) return one.error();
    const auto all = run::runProgram(batch.program, batch.inputs, 0, target, progress);
    if (!all) return all.error();
    RowAgainstBatch out;
    for (const run::Tap& tap : one->taps) {
        const run::Tap* whole = all->find(tap.name);
        if (tap.kind == "input" || !whole) continue;
        const std::vector<Tensor> both{tap.tensor, rowOf(whole->tensor, row)};
        const auto spread = spreadOf(both);
        if (!spread) return spread.error();
        if (!spread->bitEqual()) {
            if (!out.firstVarying) out.firstVarying = out.taps.size();
            ++out.varying;
        }
        out.taps.push_back({tap.name, tap.tensor.dtype(), tap.tensor.shape(), std::nullopt, *spread});
    }
    return out;
}

} // namespace

int splitsFor(std::int64_t m, std::int64_t n, std::int64_t k) {
    const std::int64_t tilesOfC = std::max<std::int64_t>(1, tiles(m, kTileRows) * tiles(n, kTileColumns));
    const std::int64_t wanted = std::min(kBlocks / tilesOfC, k / kShortestChunk);
    return static_cast<int>(std::clamp<std::int64_t>(wanted, 1, kMostSplits));
}

std::string whyRowsMix(const block::BoundGraph& block) {
    const std::string rows = rowDimension(block.graph);
    if (rows.empty()) return "its inputs have no dimension of rows that could be changed";
    for (const auto& v : block.graph.values) {
        if (v.role == block::Role::intermediate) continue;
        for (std::size_t d = 0; d < v.dims.size(); ++d)
            if ((v.dims[d].symbol == rows) != (v.role == block::Role::input && d == 0))
                return fmt::format("{} has the rows ({}) in another place than first", v.name, rows);
        if (v.role == block::Role::input && v.dims.empty()) return v.name + " has no rows";
    }
    for (const auto& op : block.graph.ops)
        if (!keepsRowsApart(block, op))
            return fmt::format("{} ({}) may mix rows", block.graph.opName(op), block::name(op.kind));
    return "";
}

Result<BatchInvariance> batchInvariance(const block::BoundGraph& block,
                                        const std::vector<lower::PassChoice>& passes,
                                        const run::Inputs& inputs, run::Backend& backend,
                                        const run::DeviceId& device, const Progress& progress) {
    const std::string rows = rowDimension(block.graph);
    BatchInvariance out;
    out.batch = block.dims.at(rows);
    out.row = out.batch / 2;
    out.fixedSplits = kFixedSplits;
    if (out.batch < 2)
        return Error{ErrorCode::usage, "a batch of one row is that row alone", rows, "ask for more rows"};
    block::Graph graph = block.graph;
    for (auto& v : graph.values)
        if (v.role == block::Role::input) v.data.reset(); // the numbers are those of `inputs`
    auto dims = block.dims;
    dims[rows] = 1;
    const auto single = block::bind(graph, dims);
    if (!single) return single.error();
    auto aloneProgram = lower::lower(*single, passes), batchProgram = lower::lower(block, passes);
    if (!aloneProgram) return aloneProgram.error();
    if (!batchProgram) return batchProgram.error();
    Side alone{std::move(*aloneProgram), {}}, batch{std::move(*batchProgram), inputs};
    for (std::size_t i = 0; i < inputs.tensors.size(); ++i) {
        const bool input = graph.values[i].role == block::Role::input;
        alone.inputs.tensors.push_back(input ? rowOf(inputs.tensors[i], out.row) : inputs.tensors[i]);
        alone.inputs.keys.push_back({});
        batch.inputs.keys[i] = {};
    }
    cut(alone.program, splitsOf);
    cut(batch.program, splitsOf);
    for (const auto& op : block.graph.ops)
        if (const auto k = lower::termsOf(block, op))
            out.splits.push_back({block.graph.opName(op), k, splitsOf(*single, op), splitsOf(block, op)});
    auto byBatch = against(alone, batch, out.row, backend, device, progress);
    if (!byBatch) return byBatch.error();
    const auto same = [](const block::BoundGraph&, const block::Op&) { return kFixedSplits; };
    cut(alone.program, same);
    cut(batch.program, same);
    auto fixed = against(alone, batch, out.row, backend, device, progress);
    if (!fixed) return fixed.error();
    out.byBatch = std::move(*byBatch);
    out.fixed = std::move(*fixed);
    return out;
}

} // namespace divdet
