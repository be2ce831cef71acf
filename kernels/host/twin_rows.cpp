#include "host/parallel.h"
#include "host/rows.h"
#include "host/twin_multiply.h"
#include "host/twin_ops.h"
#include "host/twin_values.h"
#include "numerics/portable.h"

/// Ops that add along rows: RMSNorm and plain sums.
namespace divdet::host::twin {
namespace {

/// Norms sum in one of the trees of numerics/reduction.h.
bool plainSums(const lower::Slots& s) {
    return s.operand == lower::Operand::f32 && s.partials == DType::f32 &&
           s.accumulator == lower::Accumulator::native && s.order != lower::SumOrder::atomics;
}

} // namespace

Result<Tensor> rmsNormRows(const Call& call) {
    const lower::Slots& slots = call.op.slots;
    if (!plainSums(slots)) return unsupportedSlot(call.op);
    const Floats x(call.inputs[0]), gain(call.inputs[1]);
    const auto rows = static_cast<std::size_t>(call.inputs[0].shape()[0]);
    const auto eps = static_cast<float>(block::numberOr(call.op.attributes, "eps", 0));
    TensorBuilder out(DType::f32, call.inputs[0].shape());
    rmsNorm(x.data(), gain.data(), eps, rows, gain.size(), sumOrder(slots, kNormOrder.order),
            out.as<float>().data(), slots.maths == lower::Maths::fast);
    return stored(std::move(out), slots.storage);
}

Result<Tensor> reduceRows(const Call& call) {
    const lower::Slots& slots = call.op.slots;
    if (slots.operand != lower::Operand::f32) return unsupportedSlot(call.op);
    const Floats x(call.inputs[0]);
    const auto rows = static_cast<std::size_t>(call.inputs[0].shape()[0]);
    const auto k = static_cast<std::size_t>(call.inputs[0].shape()[1]);
    TensorBuilder out(DType::f32, {call.inputs[0].shape()[0]});
    float* sums = out.as<float>().data();
    if (auto s = sumBySlots(slots, x.data(), rows, k, numerics::Order::sequential, sums); !s)
        return at(s.error(), call.op.name);
    return stored(std::move(out), slots.storage);
}

} // namespace divdet::host::twin
