#include <algorithm>

#include "cuda/module/failure.h"
#include "cuda/module/launches.h"
#include "cuda/module/op_call.h"

/// Ops that move, recode or gather elements, and scatter-add. Row numbers have been checked by the program.
namespace divdet::cuda {
namespace {

Floats moved(const OpCall& call) {
    const auto extents = call.attributes.integers("move.extents"),
               strides = call.attributes.integers("move.strides");
    if (extents.size() != strides.size() || extents.size() > kMaxRank)
        invalid("a move needs as many strides as extents");
    const InputFloats x(call.queue, call.input(0));
    StridedShape s{static_cast<unsigned>(extents.size()), {}, {}};
    std::size_t n = 1;
    std::int64_t last = 0;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        if (extents[d] < 0 || strides[d] < 0) invalid("a move with a negative extent or stride");
        s.extent[d] = static_cast<std::size_t>(extents[d]);
        s.stride[d] = strides[d];
        n *= s.extent[d];
        last += std::max<std::int64_t>(extents[d] - 1, 0) * strides[d];
    }
    if (n != call.outputs() || (n && static_cast<std::size_t>(last) >= x.size()))
        invalid("a move reads outside its input, or fills another shape");
    Floats y(call.queue, n);
    moveElements(call.queue.stream(), x.get(), s, n, y.get());
    return y;
}

Floats gathered(const OpCall& call) {
    const InputFloats indices(call.queue, call.input(0)), table(call.queue, call.input(1));
    const divdet_tensor_type& type = call.input(1).type;
    if (type.rank != 2) invalid("the table of an embedding has two dimensions");
    const auto rows = static_cast<std::size_t>(type.extent[0]),
               width = static_cast<std::size_t>(type.extent[1]);
    const std::size_t n = call.outputs();
    if (n != indices.size() * width || (n && rows == 0)) invalid("an embedding has a row per index");
    Floats y(call.queue, n);
    gatherRows(call.queue.stream(), indices.get(), table.get(), rows, width, n, y.get());
    return y;
}

Floats recoded(const OpCall& call) {
    const InputFloats x(call.queue, call.input(0)), scale(call.queue, call.input(1));
    const bool hasZero = call.inputs.size() > 2;
    const InputFloats zero(call.queue, call.input(hasZero ? 2 : 1));
    const std::int64_t inner = call.attributes.integer("channel.inner", 1);
    const float low = call.attributes.number("low", -127), high = call.attributes.number("high", 127);
    if (inner <= 0 || scale.size() == 0 || zero.size() != scale.size() || x.size() != call.outputs())
        invalid(call.kind + " needs a scale, and as many zero points");
    const Channels by{static_cast<std::size_t>(inner), scale.size()};
    Floats y(call.queue, x.size());
    const float* const zeros = hasZero ? zero.get() : nullptr;
    if (call.kind == "quantize")
        quantizeElements(call.queue.stream(), x.get(), scale.get(), zeros, by, low, high, x.size(), y.get());
    else
        dequantizeElements(call.queue.stream(), x.get(), scale.get(), zeros, by, x.size(), y.get());
    return y;
}

Floats scattered(const OpCall& call) {
    const Slots& slots = call.slots;
    const bool plain = slots.operand == Slots::Operand::f32 &&
                       slots.partials == numerics::PartialFormat::f32 &&
                       slots.accumulator != Slots::Accumulator::instructionFp16 && slots.splits >= 1;
    const bool atomics = slots.order == Slots::Order::atomics;
    if (!plain) unsupported("scatter-add has fp32 operands and no such accumulator");
    const InputFloats indices(call.queue, call.input(0)), source(call.queue, call.input(1));
    if (call.output.rank != 2) invalid("scatter-add fills a matrix");
    const auto targets = static_cast<std::size_t>(call.output.extent[0]);
    const auto width = static_cast<std::size_t>(call.output.extent[1]);
    if (source.size() != indices.size() * width || (indices.size() && targets == 0))
        invalid("scatter-add has an index per source row");
    const cudaStream_t stream = call.queue.stream();
    Floats y(call.queue, targets * width);
    if (atomics && slots.hardwareAtomics) {
        y.clear();
        scatterAtomically(stream, indices.get(), source.get(), targets, width, source.size(), y.get());
        return y;
    }
    const Words counts(call.queue, targets), first(call.queue, targets + 1), rows(call.queue, indices.size());
    counts.clear();
    listSources(stream, indices.get(), indices.size(), targets, counts.get(), first.get(), rows.get());
    if (atomics) {
        const std::size_t tiles = (width + numerics::kArrivalTile - 1) / numerics::kArrivalTile;
        const Words order(call.queue, indices.size() * tiles);
        scatterAsTheyArrived(stream, source.get(), rows.get(), first.get(), indices.size(), targets, width,
                             slots.orderSeed, order.get(), y.get());
        return y;
    }
    scatterOrdered(stream, source.get(), rows.get(), first.get(), targets, width,
                   slots.sumOrder(numerics::Order::sequential), slots.roundedSum(), slots.accumulatorFormat(),
                   y.get());
    return y;
}

} // namespace

Floats dataOf(const OpCall& call) {
    if (call.kind == "embedding") return gathered(call);
    if (call.kind == "scatter_add") return scattered(call);
    if (call.kind == "quantize" || call.kind == "dequantize") return recoded(call);
    return moved(call);
}

} // namespace divdet::cuda
