#include "host/elementwise.h"
#include "host/twin_ops.h"
#include "host/twin_values.h"

/// Ops that need only the elements at one place.
namespace divdet::host::twin {

Elementwise geluFor(const lower::Slots& slots) {
    const bool tanh = slots.formula == lower::Formula::geluTanh, fast = slots.maths == lower::Maths::fast;
    if (tanh) return fast ? Elementwise::fastGeluTanh : Elementwise::geluTanh;
    return fast ? Elementwise::fastGelu : Elementwise::gelu;
}

Result<Tensor> addElements(const Call& call) {
    const Floats a(call.inputs[0]), b(call.inputs[1]);
    TensorBuilder out(DType::f32, call.inputs[0].shape());
    add(a.data(), b.data(), out.as<float>().data(), a.size());
    return stored(std::move(out), call.op.slots.storage);
}

Result<Tensor> geluElements(const Call& call) {
    const Floats x(call.inputs[0]);
    TensorBuilder out(DType::f32, call.inputs[0].shape());
    apply(geluFor(call.op.slots), x.data(), out.as<float>().data(), x.size());
    return stored(std::move(out), call.op.slots.storage);
}

} // namespace divdet::host::twin
