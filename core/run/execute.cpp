#include "run/execute.h"

#include <functional>

#include <fmt/format.h>

#include "tensor/convert.h"

namespace divdet::run {
namespace {

using block::ValueIndex;

std::string provenance(const DeviceId& device, const lower::LoweredOp& op, const std::vector<Key>& keys) {
    std::string text = fmt::format("op {} device={} {{{}}} [{}]", block::name(op.kind), device,
                                   block::toString(op.attributes), lower::toString(op.slots));
    for (const lower::FusedStep& step : op.fused)
        text += fmt::format(
            " then {} {{{}}} {} [{}]", block::name(step.kind), block::toString(step.attributes),
            step.operand ? static_cast<std::int64_t>(*step.operand) : -1, lower::toString(step.slots));
    for (ValueIndex in : op.inputs) text += ' ' + toString(keys[in]);
    return text;
}

class Run {
public:
    Run(const lower::LoweredGraph& graph, const Inputs& inputs, const Target& target,
        const Progress& progress)
        : m_graph(graph)
        , m_target(target)
        , m_progress(progress)
        , m_tensors(inputs.tensors)
        , m_keys(inputs.keys) {}

    Result<Taps> operator()() {
        if (auto s = storeInputs(); !s) return s.error();
        std::uint64_t done = 0;
        for (const lower::LoweredOp& op : m_graph.ops) {
            if (m_progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
            m_progress(done++, m_graph.ops.size(), op.name);
            if (auto s = step(op); !s) return s.error();
        }
        m_progress(done, m_graph.ops.size());
        return collect();
    }

private:
    /// Brings inputs and weights to the dtype they are kept in.
    Status storeInputs() {
        for (ValueIndex i = 0; i < m_tensors.size(); ++i) {
            const DType dtype = m_graph.storage[i];
            if (m_graph.block.graph.values[i].role == block::Role::intermediate || dtype == DType::f32)
                continue;
            const Key key = keyOf(fmt::format("stored as {} {}", divdet::name(dtype), toString(m_keys[i])));
            auto stored = cached(key, [&] { return converted(m_tensors[i], dtype); });
            if (!stored) return stored.error();
            m_tensors[i] = std::move(*stored);
            m_keys[i] = key;
        }
        return Done{};
    }

    Result<Tensor> cached(const Key& key, const std::function<Result<Tensor>()>& make, bool* hit = nullptr) {
        if (m_target.cache)
            if (auto known = m_target.cache->find(key)) {
                if (hit) *hit = true;
                return std::move(*known);
            }
        auto made = make();
        if (made && m_target.cache) m_target.cache->store(key, *made);
        return made;
    }

    Status step(const lower::LoweredOp& op) {
        std::vector<Tensor> in;
        for (ValueIndex i : op.inputs) in.push_back(m_tensors[i]);
        const Key key = keyOf(provenance(m_target.device, op, m_keys));
        bool hit = false;
        auto out = cached(
            key, [&] { return runChecked(op, in); }, &hit);
        if (!out) return out.error();
        ++(hit ? m_taps.opsCached : m_taps.opsRun);
        m_tensors[op.output] = std::move(*out);
        m_keys[op.output] = key;
        return Done{};
    }

    Result<Tensor> runChecked(const lower::LoweredOp& op, const std::vector<Tensor>& in) {
        auto out = m_target.backend.runOp(m_target.device, op, in, m_progress);
        if (!out) {
            Error e = out.error();
            if (e.path.empty() && e.code != ErrorCode::cancelled) e.path = op.name;
            return e;
        }
        const Shape& shape = m_graph.block.shapes[op.output];
        if (out->shape() != shape || out->dtype() != op.slots.storage || !out->view().contiguous())
            return Error{ErrorCode::internal,
                         fmt::format("the backend returned {} {} where {} {} was due",
                                     divdet::name(out->dtype()), divdet::toString(out->shape()),
                                     divdet::name(op.slots.storage), divdet::toString(shape)),
                         op.name, ""};
        return out;
    }

    Taps collect() {
        const auto& g = m_graph.block.graph;
        m_taps.fusedAway = m_graph.fusedAway;
        for (ValueIndex i = 0; i < g.values.size(); ++i)
            if (g.values[i].role == block::Role::input)
                m_taps.taps.push_back({g.values[i].name, "input", m_tensors[i]});
        for (const lower::LoweredOp& op : m_graph.ops)
            m_taps.taps.push_back({g.values[op.output].name,
                                   std::string(block::name(g.producer(op.output)->kind)),
                                   m_tensors[op.output]});
        return std::move(m_taps);
    }

    const lower::LoweredGraph& m_graph;
    const Target& m_target;
    const Progress& m_progress;
    std::vector<Tensor> m_tensors;
    std::vector<Key> m_keys;
    Taps m_taps;
};

} // namespace

Result<Taps> execute(const lower::LoweredGraph& graph, const Inputs& inputs, const Target& target,
                     const Progress& progress) {
    return Run(graph, inputs, target, progress)();
}

} // namespace divdet::run
