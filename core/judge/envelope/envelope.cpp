#include "judge/envelope/envelope.h"

#include <algorithm>
#include <cmath>

#include "block/ops/support.h"
#include "judge/envelope/rules.h"
#include "tensor/convert.h"
#include "tensor/float_format.h"

namespace divdet::envelope {
namespace {

using block::OpKind;

/// An input or weight: known exactly, as it is stored.
Result<Field> given(const Tensor& t, DType stored) {
    if (t.dtype() == stored) return Field{block::ops::doubles(t), {}, true};
    const auto c = converted(t, stored);
    if (!c) return c.error();
    return Field{block::ops::doubles(*c), {}, true};
}

/// Ops that only move elements move mean and variance alike.
Result<Field> moved(const OpCall& call) {
    std::vector<Tensor> means, variances;
    bool certain = true;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        means.push_back(block::ops::tensorOfDoubles(call.shapes[i], call.inputs[i]->mean));
        certain = certain && call.inputs[i]->certain();
        // Row numbers stay row numbers.
        const bool index = static_cast<int>(i) == block::opDef(call.op.kind).traits.indexInput;
        variances.push_back(
            index ? means.back()
                  : block::ops::tensorOfDoubles(call.shapes[i], filled(*call.inputs[i]).variance));
    }
    const auto& def = block::opDef(call.op.kind);
    const auto mean = def.reference64(means, call.op.attributes, call.progress);
    if (!mean) return mean.error();
    if (certain) return Field{block::ops::doubles(*mean), {}, true};
    const auto variance = def.reference64(variances, call.op.attributes, call.progress);
    if (!variance) return variance.error();
    return Field{block::ops::doubles(*mean), block::ops::doubles(*variance), true};
}

Result<Field> byKind(const OpCall& call) {
    switch (call.op.kind) {
    case OpKind::matmul:
    case OpKind::conv2d:
        return productField(call);
    case OpKind::rmsnorm:
        return rmsNormField(call);
    case OpKind::layernorm:
        return layerNormField(call);
    case OpKind::softmax:
        return softmaxField(call);
    case OpKind::reduce_sum:
        return sumField(call);
    case OpKind::scatter_add:
        return scatterField(call);
    case OpKind::transpose:
    case OpKind::split_heads:
    case OpKind::merge_heads:
    case OpKind::embedding:
        return moved(call);
    case OpKind::quantize:
    case OpKind::dequantize:
        return Field{}; // codes jump: no rule
    default:
        break;
    }
    Field f = filled(*call.inputs[0]);
    const Field* operand = call.inputs.size() > 1 ? call.inputs[1] : nullptr;
    f.known = pointwiseField(call.op.kind, call.op.attributes, call.op.slots, call.shapes[0], operand, f);
    return f;
}

} // namespace

Field filled(Field f) {
    if (f.certain()) f.variance.assign(f.mean.size(), 0);
    return f;
}

void roundTo(DType storage, Field& f) {
    const FloatFormat format = floatFormat(storage);
    for (std::size_t i = 0; i < f.variance.size(); ++i) {
        if (f.variance[i] == 0) continue; // moved or masked: exact
        const double ulp = format.ulp(f.mean[i]);
        f.variance[i] += ulp * ulp / 12;
    }
}

Result<std::vector<Field>> envelopeOf(const lower::LoweredGraph& declared, const std::vector<Tensor>& inputs,
                                      numerics::Arch arch, const Progress& progress) {
    const auto& values = declared.block.graph.values;
    std::vector<Field> fields(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i].role == block::Role::intermediate || !inputs[i].view().data) continue;
        auto f = given(inputs[i], declared.storage[i]);
        if (!f) return f.error();
        fields[i] = std::move(*f);
    }
    for (std::size_t at = 0; at < declared.ops.size(); ++at) {
        const lower::LoweredOp& op = declared.ops[at];
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        std::vector<const Field*> in;
        std::vector<Shape> shapes;
        bool known = true;
        for (const auto i : op.inputs) {
            in.push_back(&fields[i]);
            shapes.push_back(declared.block.shapes[i]);
            known = known && fields[i].known;
        }
        if (!known) continue;
        auto f = byKind({op, in, shapes, arch, progress});
        if (!f) return f.error();
        if (f->known) roundTo(op.slots.storage, *f);
        fields[op.output] = std::move(*f);
    }
    return fields;
}

ZScore zScore(const Field& field, const Tensor& candidate) {
    ZScore z;
    const auto c = block::ops::doubles(candidate);
    double squares = 0;
    for (std::size_t i = 0; i < c.size() && i < field.mean.size(); ++i) {
        const double error = c[i] - field.mean[i];
        if (c[i] == field.mean[i] || (std::isnan(c[i]) && std::isnan(field.mean[i]))) {
            if (field.varianceAt(i) > 0) ++z.elements, z.histogram.add(0);
            continue;
        }
        double one = error / std::sqrt(field.varianceAt(i));
        // In double the mean itself is good to a few parts in 2^50 where there is no variance.
        if (field.varianceAt(i) == 0 && std::abs(error) <= 0x1p-45 * std::abs(field.mean[i])) continue;
        if (std::isnan(one)) one = INFINITY;
        ++z.elements;
        z.histogram.add(one);
        squares += one * one;
        z.largest = std::max(z.largest, std::abs(one));
    }
    if (z.elements) z.rms = std::sqrt(squares / static_cast<double>(z.elements));
    return z;
}

} // namespace divdet::envelope
