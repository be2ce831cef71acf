#include <algorithm>
#include <optional>

#include "block/ops/support.h"
#include "host/racing.h"
#include "host/rows.h"
#include "host/twin_multiply.h"
#include "host/twin_ops.h"
#include "host/twin_values.h"
#include "numerics/float_bits.h"

/// Ops that add along rows: norms, softmax and plain sums.
namespace divdet::host::twin {
namespace {

using block::ops::rowCount;
using block::ops::rowWidth;

/// Norms and softmax sum in one of the trees of numerics/reduction.h.
bool plainSums(const lower::Slots& s) {
    return s.operand == lower::Operand::f32 && s.partials == DType::f32 &&
           s.accumulator == lower::Accumulator::native && s.order != lower::SumOrder::atomics;
}

} // namespace

Result<Tensor> normRows(const Call& call) {
    const lower::Slots& slots = call.op.slots;
    if (!plainSums(slots)) return unsupportedSlot(call.op);
    const Floats x(call.inputs[0]), gain(call.inputs[1]);
    const std::size_t rows = rowCount(call.inputs[0].shape());
    const auto eps = static_cast<float>(block::numberOr(call.op.attributes, "eps", 0));
    const auto order = sumOrder(slots, kNormOrder.order);
    TensorBuilder out(DType::f32, call.inputs[0].shape());
    float* y = out.as<float>().data();
    const bool fast = slots.maths == lower::Maths::fast;
    if (call.op.kind == block::OpKind::rmsnorm) {
        rmsNorm(x.data(), gain.data(), eps, rows, gain.size(), order, y, fast);
        return stored(std::move(out), slots.storage);
    }
    std::optional<Floats> bias;
    if (call.inputs.size() == 3) bias.emplace(call.inputs[2]);
    const auto norm = slots.formula == lower::Formula::onePassVariance ? layerNormOnePass : layerNorm;
    norm(x.data(), gain.data(), bias ? bias->data() : nullptr, eps, rows, gain.size(), order, y, fast);
    return stored(std::move(out), slots.storage);
}

namespace {

/// Atomic additions are made in fp32 alone.
bool plainChunks(const lower::Slots& s) {
    return s.partials == DType::f32 && s.accumulator == lower::Accumulator::native && s.splits >= 1;
}

/// Slot formula=masked-row-nan: what 0/0 leaves in the first row of each matrix.
void spoilFirstRows(const Shape& shape, float* y) {
    const std::size_t width = rowWidth(shape);
    const std::size_t perMatrix = shape.size() < 2 ? 1 : static_cast<std::size_t>(shape[shape.size() - 2]);
    for (std::size_t r = 0; r < rowCount(shape); r += perMatrix)
        std::fill_n(y + r * width, width, numerics::floatFromBits(0x7FC00000u));
}

} // namespace

Result<Tensor> softmaxRows(const Call& call) {
    const lower::Slots& slots = call.op.slots;
    if (!plainSums(slots)) return unsupportedSlot(call.op);
    const Floats x(call.inputs[0]);
    const Shape& shape = call.inputs[0].shape();
    TensorBuilder out(DType::f32, shape);
    softmax(x.data(), rowCount(shape), rowWidth(shape), sumOrder(slots, kNormOrder.order),
            out.as<float>().data(), slots.maths == lower::Maths::fast);
    if (slots.formula == lower::Formula::maskedRowNan) spoilFirstRows(shape, out.as<float>().data());
    return stored(std::move(out), slots.storage);
}

Result<Tensor> reduceRows(const Call& call) {
    const lower::Slots& slots = call.op.slots;
    if (slots.operand != lower::Operand::f32) return unsupportedSlot(call.op);
    const Floats x(call.inputs[0]);
    const Shape& shape = call.inputs[0].shape();
    const std::size_t rows = rowCount(shape), k = rowWidth(shape);
    TensorBuilder out(DType::f32, Shape(shape.begin(), shape.end() - 1));
    float* sums = out.as<float>().data();
    if (slots.order == lower::SumOrder::atomics && call.race) {
        if (!plainChunks(slots)) return unsupportedSlot(call.op);
        const std::size_t kept = slots.tailTile > 0 ? k - k % static_cast<std::size_t>(slots.tailTile) : k;
        if (auto s = raceSumRows(x.data(), rows, k, kept, static_cast<std::size_t>(slots.splits), sums,
                                 call.race->threads, call.race->seen);
            !s)
            return at(s.error(), call.op.name);
        return stored(std::move(out), slots.storage);
    }
    if (auto s = sumBySlots(slots, x.data(), rows, k, numerics::Order::sequential, sums); !s)
        return at(s.error(), call.op.name);
    return stored(std::move(out), slots.storage);
}

} // namespace divdet::host::twin
