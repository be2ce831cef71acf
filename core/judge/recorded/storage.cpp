#include "judge/recorded/storage.h"

#include <algorithm>
#include <cmath>

#include "block/ops/support.h"
#include "tensor/convert.h"
#include "tensor/float_format.h"

namespace divdet::recorded {
namespace {

using block::Role;
using block::ValueIndex;

bool isFloat(DType t) {
    return t == DType::f64 || t == DType::f32 || t == DType::f16 || t == DType::bf16;
}

DType shorter(DType a, DType b) {
    return floatFormat(a).fraction <= floatFormat(b).fraction ? a : b;
}

bool allAre(const Tensor& t, DType shortType) {
    const auto there = converted(t, shortType);
    if (!there) return false;
    const auto back = converted(*there, t.dtype());
    if (!back) return false;
    const auto x = block::ops::doubles(*back), y = block::ops::doubles(t);
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); });
}

/// Of results that are declared to be short; f32: none is.
DType declaredOutput(const Declared& d) {
    if (d.has(LossyStep::bf16) || d.has(LossyStep::bf16Output)) return DType::bf16;
    if (d.has(LossyStep::fp16) || d.has(LossyStep::fp16Output)) return DType::f16;
    return DType::f32;
}

DType storageOf(const Tensor& tap, DType output) {
    if (!isFloat(tap.dtype())) return DType::f32;
    if (tap.dtype() == DType::f32 && output != DType::f32 && allAre(tap, output)) return output;
    return tap.dtype();
}

} // namespace

void storeAsRecorded(lower::LoweredGraph& g, const Declared& declared, const run::Taps& taps) {
    const DType output = declaredOutput(declared);
    std::vector<bool> known(g.storage.size());
    const auto enter = [&](ValueIndex i) {
        const run::Tap* tap = taps.find(g.block.graph.values[i].name);
        g.storage[i] = DType::f32;
        if (!tap) return;
        g.storage[i] = storageOf(tap->tensor, output);
        known[i] = true;
    };
    for (ValueIndex i = 0; i < g.storage.size(); ++i) enter(i);
    std::vector<bool> led(g.storage.size());
    for (std::size_t at = g.ops.size(); at-- > 0;) { // readers stand behind what they read
        const ValueIndex to = g.ops[at].output;
        for (const ValueIndex in : g.ops[at].inputs) {
            if (known[in]) continue;
            g.storage[in] = led[in] ? shorter(g.storage[in], g.storage[to]) : g.storage[to];
            led[in] = true;
        }
    }
    for (lower::LoweredOp& op : g.ops) op.slots.storage = g.storage[op.output];
}

bool storeInputs(lower::LoweredGraph& g, const std::vector<Tensor>& inputs, bool asGiven) {
    bool changes = false;
    std::vector<bool> rowNumbers(g.storage.size());
    for (const lower::LoweredOp& op : g.ops)
        if (const int at = block::opDef(op.kind).traits.indexInput; at >= 0)
            rowNumbers[op.inputs[static_cast<std::size_t>(at)]] = true;
    for (ValueIndex i = 0; i < g.storage.size(); ++i) {
        if (g.block.graph.values[i].role == Role::intermediate || !inputs[i].view().data) continue;
        const DType own = isFloat(inputs[i].dtype()) ? inputs[i].dtype() : DType::f32;
        const DType wanted = rowNumbers[i] ? own : shorter(own, g.storage[i]);
        changes = changes || wanted != own;
        g.storage[i] = asGiven ? own : wanted;
    }
    return changes;
}

} // namespace divdet::recorded
