#include "session/derived_tolerances.h"

#include <algorithm>
#include <cmath>

#include "block/ops/support.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

/// Farthest from the reference that the op's arithmetic allows; empty where it reads what another op made, or
/// has no bound.
Result<std::vector<double>> possible(const lower::LoweredGraph& g, const lower::LoweredOp& op,
                                     const std::vector<Tensor>& inputs, const std::vector<double>& reference,
                                     numerics::Arch arch, local::Order order, const Progress& progress) {
    std::vector<Tensor> read;
    for (const auto i : op.inputs) {
        if (g.block.graph.values[i].role == block::Role::intermediate) return std::vector<double>{};
        auto t = converted(inputs[i], g.storage[i]);
        if (!t) return t.error();
        read.push_back(std::move(*t));
    }
    const auto allowed = local::allowedBy(op, read, arch, order, progress);
    if (!allowed && allowed.error().code == ErrorCode::cancelled) return allowed.error();
    if (!allowed || allowed->exact.size() != reference.size()) return std::vector<double>{};
    std::vector<double> out(reference.size());
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = std::abs(allowed->exact[i] - reference[i]) + allowed->bound[i];
    return out;
}

} // namespace

Result<std::map<std::string, DerivedTolerance>>
derivedTolerances(const lower::LoweredGraph& g, const std::vector<Tensor>& inputs, const run::Taps& reference,
                  numerics::Arch arch, local::Order order, double p, const Progress& progress) {
    const auto fields = envelope::envelopeOf(g, inputs, arch, progress);
    if (!fields) return fields.error();
    std::map<std::string, DerivedTolerance> out;
    const auto add = [&](block::ValueIndex value, std::span<const double> far) {
        const std::string& name = g.block.graph.values[value].name;
        const run::Tap* tap = reference.find(name);
        if (!tap || !(*fields)[value].known) return;
        const auto r = block::ops::doubles(tap->tensor);
        out[name] = derivedTolerance(elementBounds((*fields)[value], r, g.storage[value], p, far), r, p);
    };
    for (block::ValueIndex i = 0; i < fields->size(); ++i)
        if (g.block.graph.values[i].role == block::Role::input) add(i, {});
    for (const lower::LoweredOp& op : g.ops) {
        const run::Tap* tap = reference.find(g.block.graph.values[op.output].name);
        if (!tap) continue;
        const auto far = possible(g, op, inputs, block::ops::doubles(tap->tensor), arch, order, progress);
        if (!far) return far.error();
        add(op.output, *far);
    }
    return out;
}

} // namespace divdet
