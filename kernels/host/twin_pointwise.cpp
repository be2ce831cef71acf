#include "host/twin_pointwise.h"

#include <optional>

#include "block/ops/scale/scale.h"
#include "block/ops/support.h"
#include "host/elementwise.h"
#include "host/rows.h"
#include "host/twin_ops.h"

/// Ops that need only the elements at one place.
namespace divdet::host::twin {
namespace {

using block::OpKind;

Elementwise geluFor(const lower::Slots& slots) {
    const bool tanh = slots.formula == lower::Formula::geluTanh, fast = slots.maths == lower::Maths::fast;
    if (tanh) return fast ? Elementwise::fastGeluTanh : Elementwise::geluTanh;
    return fast ? Elementwise::fastGelu : Elementwise::gelu;
}

Elementwise siluFor(const lower::Slots& slots) {
    return slots.maths == lower::Maths::fast ? Elementwise::fastSilu : Elementwise::silu;
}

/// Ops of one input.
bool unary(const PointwiseOp& op, const Shape& shape, const float* in, std::size_t n, float* out) {
    switch (op.kind) {
    case OpKind::gelu:
        return apply(geluFor(op.slots), in, out, n), true;
    case OpKind::silu:
        return apply(siluFor(op.slots), in, out, n), true;
    case OpKind::relu:
        return apply(Elementwise::relu, in, out, n), true;
    case OpKind::scale:
        return scale(in, static_cast<float>(block::ops::scaleFactor(op.attributes)), out, n), true;
    case OpKind::causal_mask:
        causalMask(in, block::integerOr(op.attributes, "offset", 0), block::ops::rowCount(shape),
                   static_cast<std::size_t>(shape[shape.size() - 2]), block::ops::rowWidth(shape), out);
        return true;
    default:
        return false;
    }
}

} // namespace

bool pointwise(const PointwiseOp& op, const Shape& shape, const float* in, const Floats* operand,
               float* out) {
    const auto n = static_cast<std::size_t>(elementCount(shape).value_or(0));
    if (!operand) return unary(op, shape, in, n, out);
    const std::size_t width = operand->size();
    if (op.kind == OpKind::add)
        return width == n ? add(in, operand->data(), out, n)
                          : addBias(in, operand->data(), out, n / width, width),
               true;
    if (op.kind == OpKind::mul)
        return width == n ? mul(in, operand->data(), out, n)
                          : mulGain(in, operand->data(), out, n / width, width),
               true;
    return false;
}

Result<Tensor> pointwiseElements(const Call& call) {
    const Floats x(call.inputs[0]);
    std::optional<Floats> operand;
    if (call.inputs.size() > 1) operand.emplace(call.inputs[1]);
    const Shape& shape = call.inputs[0].shape();
    TensorBuilder out(DType::f32, shape);
    if (!pointwise({call.op.kind, call.op.attributes, call.op.slots}, shape, x.data(),
                   operand ? &*operand : nullptr, out.as<float>().data()))
        return unsupportedSlot(call.op);
    return stored(std::move(out), call.op.slots.storage);
}

} // namespace divdet::host::twin
