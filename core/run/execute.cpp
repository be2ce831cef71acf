#include "run/execute.h"

#include <functional>

#include <fmt/format.h>

#include "run/run_op.h"
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
        Taps taps = tapsOf(m_graph, m_tensors);
        taps.opsRun = m_opsRun;
        taps.opsCached = m_opsCached;
        return taps;
    }

private:
    /// Brings inputs and weights to the dtype they are kept in.
    Status storeInputs() {
        for (ValueIndex i = 0; i < m_tensors.size(); ++i) {
            if (!storedOtherwise(m_graph, i)) continue;
            const DType dtype = m_graph.storage[i];
            const Key key = keyStoredAs(dtype, m_keys[i]);
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
        std::vector<Key> keys;
        for (ValueIndex i : op.inputs) {
            in.push_back(m_tensors[i]);
            keys.push_back(m_keys[i]);
        }
        const Key key = keyOf(provenance(m_target.device, op, m_keys));
        bool hit = false;
        auto out = cached(
            key,
            [&] {
                return runOp(m_graph, op, in, {keys, key}, m_target, m_progress);
            },
            &hit);
        if (!out) return out.error();
        ++(hit ? m_opsCached : m_opsRun);
        m_tensors[op.output] = std::move(*out);
        m_keys[op.output] = key;
        return Done{};
    }

    const lower::LoweredGraph& m_graph;
    const Target& m_target;
    const Progress& m_progress;
    std::vector<Tensor> m_tensors;
    std::vector<Key> m_keys;
    std::int64_t m_opsRun = 0, m_opsCached = 0;
};

} // namespace

Result<Taps> execute(const lower::LoweredGraph& graph, const Inputs& inputs, const Target& target,
                     const Progress& progress) {
    return Run(graph, inputs, target, progress)();
}

} // namespace divdet::run
