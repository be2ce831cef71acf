#include "block/ops/row_index.h"
#include "block/ops/support.h"
#include "host/parallel.h"
#include "host/racing.h"
#include "host/rows.h"
#include "host/twin_ops.h"
#include "host/twin_values.h"
#include "numerics/portable.h"

/// Scatter-add: every target row gathers its source rows, so that no two tasks write one output.
namespace divdet::host::twin {
namespace {

/// The source rows of each target, in increasing order (a counting sort).
struct Gathered {
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> first; ///< targets + 1 entries
};

Gathered gather(const std::vector<std::size_t>& targets, std::size_t count) {
    Gathered g{std::vector<std::uint32_t>(targets.size()), std::vector<std::size_t>(count + 1)};
    for (std::size_t t : targets) ++g.first[t + 1];
    for (std::size_t t = 0; t < count; ++t) g.first[t + 1] += g.first[t];
    std::vector<std::size_t> next(g.first.begin(), g.first.end() - 1);
    for (std::size_t i = 0; i < targets.size(); ++i)
        g.rows[next[targets[i]]++] = static_cast<std::uint32_t>(i);
    return g;
}

void roundedScatter(const float* source, const Gathered& g, std::size_t width, lower::Accumulator format,
                    float* out) {
    forEachTask(g.first.size() - 1, [&](std::size_t r) {
        for (std::size_t j = 0; j < width; ++j) {
            float sum = 0;
            for (std::size_t k = g.first[r]; k < g.first[r + 1]; ++k)
                sum = roundToAccumulator(numerics::addRn(sum, source[g.rows[k] * width + j]), format);
            out[r * width + j] = sum;
        }
    });
}

} // namespace

Result<Tensor> scatterAddRows(const Call& call) {
    const lower::Slots& slots = call.op.slots;
    const bool plain = slots.operand == lower::Operand::f32 && slots.partials == DType::f32 &&
                       slots.accumulator != lower::Accumulator::instructionFp16;
    if (!plain) return unsupportedSlot(call.op);
    const std::int64_t rows = block::integerOr(call.op.attributes, "rows", 0);
    const auto targets = block::ops::rowIndices(call.inputs[0], rows);
    if (!targets) return targets.error();
    const Floats source(call.inputs[1]);
    const std::size_t width = block::ops::rowWidth(call.inputs[1].shape());
    TensorBuilder out(DType::f32, {rows, call.inputs[1].shape()[1]});
    float* y = out.as<float>().data();
    if (slots.order == lower::SumOrder::atomics && call.race) {
        if (auto s = raceScatterRows(source.data(), targets->data(), targets->size(), width, y,
                                     call.race->threads, call.race->seen);
            !s)
            return at(s.error(), call.op.name);
        return stored(std::move(out), slots.storage);
    }
    const Gathered g = gather(*targets, static_cast<std::size_t>(rows));
    if (slots.order == lower::SumOrder::atomics)
        scatterRowsAsTheyArrive(source.data(), g.rows.data(), g.first.data(), static_cast<std::size_t>(rows),
                                width, slots.orderSeed, y);
    else if (slots.accumulator == lower::Accumulator::native)
        scatterRows(source.data(), g.rows.data(), g.first.data(), static_cast<std::size_t>(rows), width,
                    sumOrder(slots, numerics::Order::sequential), y);
    else
        roundedScatter(source.data(), g, width, slots.accumulator, y);
    return stored(std::move(out), slots.storage);
}

} // namespace divdet::host::twin
