#include "run/memory_plan.h"

#include <algorithm>
#include <numeric>

namespace divdet::run {
namespace {

using block::ValueIndex;

std::size_t bytesOf(const lower::LoweredGraph& graph, ValueIndex value) {
    return static_cast<std::size_t>(elementCount(graph.block.shapes[value]).value_or(0)) *
           itemSize(graph.storage[value]);
}

/// Position of the op that reads each value last; an output is read after all.
std::vector<std::size_t> lastReads(const lower::LoweredGraph& graph) {
    std::vector<std::size_t> last(graph.block.graph.values.size(), 0);
    for (std::size_t at = 0; at < graph.ops.size(); ++at) {
        for (const ValueIndex in : graph.ops[at].inputs) last[in] = at;
        last[graph.ops[at].output] = at; // unless somebody reads it later
    }
    for (ValueIndex i = 0; i < last.size(); ++i)
        if (graph.block.graph.values[i].output) last[i] = graph.ops.size();
    return last;
}

class Planner {
public:
    explicit Planner(const lower::LoweredGraph& graph)
        : m_graph(graph) {
        m_plan.buffer.resize(graph.block.graph.values.size());
    }

    MemoryPlan plan() && {
        for (ValueIndex i = 0; i < m_plan.buffer.size(); ++i)
            if (m_graph.block.graph.values[i].role == block::Role::input) m_plan.buffer[i] = grown(i);
        const auto last = lastReads(m_graph);
        for (std::size_t at = 0; at < m_graph.ops.size(); ++at) {
            const lower::LoweredOp& op = m_graph.ops[at];
            const bool own = op.slots.buffer == lower::Buffer::stale;
            m_plan.buffer[op.output] = own ? grown(op.output) : shared(op.output);
            if (!own) m_sharing.push_back(op.output);
            std::erase_if(m_sharing, [&](ValueIndex v) {
                if (last[v] > at) return false;
                m_free.push_back(*m_plan.buffer[v]);
                return true;
            });
        }
        return std::move(m_plan);
    }

private:
    std::size_t grown(ValueIndex value) {
        m_plan.bytes.push_back(bytesOf(m_graph, value));
        return m_plan.bytes.size() - 1;
    }

    /// The smallest free buffer that holds the value, else the largest one, made larger.
    std::size_t shared(ValueIndex value) {
        if (m_free.empty()) return grown(value);
        const std::size_t need = bytesOf(m_graph, value);
        const auto better = [&](std::size_t a, std::size_t b) {
            const bool fitsA = m_plan.bytes[a] >= need, fitsB = m_plan.bytes[b] >= need;
            if (fitsA != fitsB) return fitsA;
            return fitsA ? m_plan.bytes[a] < m_plan.bytes[b] : m_plan.bytes[a] > m_plan.bytes[b];
        };
        const auto best = std::min_element(m_free.begin(), m_free.end(), better);
        const std::size_t buffer = *best;
        m_free.erase(best);
        m_plan.bytes[buffer] = std::max(m_plan.bytes[buffer], need);
        return buffer;
    }

    const lower::LoweredGraph& m_graph;
    MemoryPlan m_plan;
    std::vector<std::size_t> m_free;
    std::vector<ValueIndex> m_sharing; ///< values in work that give their buffer back
};

} // namespace

std::size_t MemoryPlan::total() const {
    return std::accumulate(bytes.begin(), bytes.end(), std::size_t{0});
}

MemoryPlan planMemory(const lower::LoweredGraph& graph) {
    return Planner(graph).plan();
}

std::size_t unsharedBytes(const lower::LoweredGraph& graph, const MemoryPlan& plan) {
    std::size_t sum = 0;
    for (ValueIndex i = 0; i < plan.buffer.size(); ++i)
        if (plan.buffer[i]) sum += bytesOf(graph, i);
    return sum;
}

} // namespace divdet::run
