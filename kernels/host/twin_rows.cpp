#include "host/parallel.h"
#include "host/rows.h"
#include "host/twin_ops.h"
#include "host/twin_values.h"
#include "numerics/portable.h"

/// Ops that add along rows: RMSNorm and plain sums.
namespace divdet::host::twin {
namespace {

bool plainMaths(const lower::Slots& s) {
    return s.operand == lower::Operand::f32 && s.partials == DType::f32;
}

/// One running sum per row, rounded at every addition.
void roundedSums(const float* x, std::size_t rows, std::size_t k, lower::Accumulator format, float* sums) {
    forEachTask(rows, [&](std::size_t r) {
        float sum = 0;
        for (std::size_t i = 0; i < k; ++i)
            sum = roundToAccumulator(numerics::addRn(sum, x[r * k + i]), format);
        sums[r] = sum;
    });
}

} // namespace

Result<Tensor> rmsNormRows(const Call& call) {
    const lower::Slots& slots = call.op.slots;
    if (!plainMaths(slots) || slots.accumulator != lower::Accumulator::native)
        return unsupportedSlot(call.op);
    const Floats x(call.inputs[0]), gain(call.inputs[1]);
    const auto rows = static_cast<std::size_t>(call.inputs[0].shape()[0]);
    const auto eps = static_cast<float>(block::numberOr(call.op.attributes, "eps", 0));
    TensorBuilder out(DType::f32, call.inputs[0].shape());
    rmsNorm(x.data(), gain.data(), eps, rows, gain.size(), sumOrder(slots, kNormOrder.order),
            out.as<float>().data());
    return stored(std::move(out), slots.storage);
}

Result<Tensor> reduceRows(const Call& call) {
    const lower::Slots& slots = call.op.slots;
    if (!plainMaths(slots)) return unsupportedSlot(call.op);
    const Floats x(call.inputs[0]);
    const auto rows = static_cast<std::size_t>(call.inputs[0].shape()[0]);
    const auto k = static_cast<std::size_t>(call.inputs[0].shape()[1]);
    TensorBuilder out(DType::f32, {call.inputs[0].shape()[0]});
    float* sums = out.as<float>().data();
    if (slots.accumulator == lower::Accumulator::native)
        sumRows(x.data(), rows, k, sumOrder(slots, numerics::Order::sequential), sums);
    else
        roundedSums(x.data(), rows, k, slots.accumulator, sums);
    return stored(std::move(out), slots.storage);
}

} // namespace divdet::host::twin
