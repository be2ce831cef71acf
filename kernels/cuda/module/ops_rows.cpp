#include <algorithm>

#include "cuda/module/failure.h"
#include "cuda/module/launches.h"
#include "cuda/module/op_call.h"

/// Ops that add along rows: norms, softmax and plain sums.
namespace divdet::cuda {
namespace {

struct Rows {
    std::size_t count, width;
};

Rows rowsIn(const DeviceValue& x) {
    if (x.type.rank == 0) invalid("an op along rows needs a dimension");
    const auto width = static_cast<std::size_t>(x.type.extent[x.type.rank - 1]);
    return {width ? elementCount(x.type) / width : 0, width};
}

Floats norm(const OpCall& call) {
    const Slots& slots = call.slots;
    if (!slots.plainSums()) unsupported("norms sum in a tree of fp32 only");
    const InputFloats x(call.queue, call.input(0)), gain(call.queue, call.input(1));
    const Rows rows = rowsIn(call.input(0));
    const bool biased = call.inputs.size() > 2;
    const InputFloats bias(call.queue, call.input(biased ? 2 : 1));
    if (gain.size() != rows.width || bias.size() != rows.width)
        invalid("gain and bias of a norm have as many elements as a row");
    const float eps = call.attributes.number("eps", 0.0f);
    const SumOrder order = slots.sumOrder(numerics::Order::strided);
    Floats y(call.queue, x.size());
    if (call.kind == "rmsnorm")
        rmsNormRows(call.queue.stream(), x.get(), gain.get(), eps, rows.count, rows.width, order, slots.fast,
                    y.get());
    else
        layerNormRows(call.queue.stream(), x.get(), gain.get(), biased ? bias.get() : nullptr, eps,
                      rows.count, rows.width, order, slots.fast,
                      slots.formula == Slots::Formula::onePassVariance, y.get());
    return y;
}

Floats softmax(const OpCall& call) {
    const Slots& slots = call.slots;
    if (!slots.plainSums()) unsupported("softmax sums in a tree of fp32 only");
    const InputFloats x(call.queue, call.input(0));
    const Rows rows = rowsIn(call.input(0));
    Floats y(call.queue, x.size());
    softmaxRows(call.queue.stream(), x.get(), rows.count, rows.width,
                slots.sumOrder(numerics::Order::strided), slots.fast, y.get());
    const divdet_tensor_type& type = call.input(0).type;
    if (slots.formula == Slots::Formula::maskedRowNan && x.size() > 0) {
        const std::int64_t perMatrix = type.rank < 2 ? 1 : type.extent[type.rank - 2];
        spoilFirstRows(call.queue.stream(), x.size(), rows.width, static_cast<std::size_t>(perMatrix),
                       y.get());
    }
    return y;
}

Floats sum(const OpCall& call) {
    const Slots& slots = call.slots;
    if (slots.operand != Slots::Operand::f32 || slots.contradictory() ||
        slots.accumulator == Slots::Accumulator::instructionFp16)
        unsupported("a sum has fp32 operands and an accumulator of single additions");
    const InputFloats x(call.queue, call.input(0));
    const Rows rows = rowsIn(call.input(0));
    const std::size_t kept = slots.tailTile > 0 ? rows.width - rows.width % slots.tailTile : rows.width;
    SumRule rule{slots.sumOrder(numerics::Order::sequential)};
    rule.roundedSum = slots.roundedSum();
    rule.accumulator = slots.accumulatorFormat();
    rule.inChunks = slots.inChunks();
    rule.arrival = slots.order == Slots::Order::atomics;
    rule.seed = slots.orderSeed;
    rule.format = slots.partials;
    const std::size_t count = call.outputs();
    if (rows.width && count != rows.count) invalid("a sum has an output for every row");
    const std::size_t chunks =
        rule.inChunks ? numerics::chunkCount(kept, numerics::chunkLength(kept, slots.splits)) : 0;
    const std::size_t scratch = sumRowBlocks(count) * chunks;
    const Floats partials(call.queue, scratch);
    const Words arrivals(call.queue, scratch);
    Floats y(call.queue, count);
    sumRows(call.queue.stream(), x.get(), count, rows.width, kept, rule, partials.get(), arrivals.get(),
            y.get());
    return y;
}

} // namespace

Floats rowsOf(const OpCall& call) {
    if (call.kind == "softmax") return softmax(call);
    if (call.kind == "reduce_sum") return sum(call);
    return norm(call);
}

} // namespace divdet::cuda
