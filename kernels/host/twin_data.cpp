#include <algorithm>

#include "block/ops/layout.h"
#include "block/ops/quantized.h"
#include "block/ops/row_index.h"
#include "block/ops/support.h"
#include "host/twin_ops.h"
#include "host/twin_values.h"
#include "numerics/quantize.h"

/// Ops that move or recode elements.
namespace divdet::host::twin {
namespace {

using block::OpKind;

Result<block::ops::Layout> layoutOf(const Call& call) {
    const Shape& shape = call.inputs[0].shape();
    if (call.op.kind == OpKind::split_heads) return block::ops::splitHeadsLayout(shape, call.op.attributes);
    if (call.op.kind == OpKind::merge_heads) return block::ops::mergeHeadsLayout(shape);
    return block::ops::transposeLayout(shape, call.op.attributes);
}

} // namespace

Result<Tensor> movedElements(const Call& call) {
    const auto layout = layoutOf(call);
    if (!layout) return layout.error();
    const Floats x(call.inputs[0]);
    TensorBuilder out(DType::f32,
                      call.op.kind == OpKind::merge_heads ? block::ops::mergedShape(*layout) : layout->shape);
    float* y = out.as<float>().data();
    block::ops::forEachRun(*layout, [&](std::size_t to, std::size_t from, std::size_t n) {
        std::copy_n(x.data() + from, n, y + to);
    });
    return stored(std::move(out), call.op.slots.storage);
}

Result<Tensor> embeddingRows(const Call& call) {
    const Shape& table = call.inputs[1].shape();
    const auto rows = block::ops::rowIndices(call.inputs[0], table[0]);
    if (!rows) return rows.error();
    const Floats values(call.inputs[1]);
    const std::size_t width = block::ops::rowWidth(table);
    Shape shape = call.inputs[0].shape();
    shape.push_back(table[1]);
    TensorBuilder out(DType::f32, shape);
    float* y = out.as<float>().data();
    for (std::size_t i = 0; i < rows->size(); ++i)
        std::copy_n(values.data() + (*rows)[i] * width, width, y + i * width);
    return stored(std::move(out), call.op.slots.storage);
}

Result<Tensor> recodedElements(const Call& call) {
    const bool quantize = call.op.kind == OpKind::quantize;
    const Shape shapes[] = {call.inputs[0].shape(), call.inputs[1].shape()};
    const auto layout = block::ops::quantizedLayout(block::name(call.op.kind), shapes, call.op.attributes);
    if (!layout) return layout.error();
    const auto range = block::ops::codeRange(call.op.attributes);
    const auto low = static_cast<float>(range.low), high = static_cast<float>(range.high);
    const Floats x(call.inputs[0]), scale(call.inputs[1]);
    const bool hasZero = call.inputs.size() == 3;
    const Floats zero(call.inputs[hasZero ? 2 : 1]); // read only with a zero point
    TensorBuilder out(DType::f32, shapes[0]);
    const auto y = out.as<float>();
    for (std::size_t i = 0; i < y.size(); ++i) {
        const std::size_t c = layout->channel(i);
        const float z = hasZero ? zero.data()[c] : 0.0f;
        y[i] = quantize ? numerics::quantizeCode(x.data()[i], scale.data()[c], z, low, high)
                        : numerics::dequantizeCode(x.data()[i], scale.data()[c], z);
    }
    return stored(std::move(out), call.op.slots.storage);
}

} // namespace divdet::host::twin
