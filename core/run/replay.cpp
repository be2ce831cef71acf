#include "run/replay.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "run/run_op.h"
#include "tensor/convert.h"

namespace divdet::run {
namespace {

using block::ValueIndex;

/// The buffers of a plan. Nothing outside a replay may hold a view of them: later ops write there.
class Arena {
public:
    explicit Arena(const MemoryPlan& plan) {
        for (const std::size_t bytes : plan.bytes)
            m_buffers.push_back(std::make_shared<std::vector<std::byte>>(bytes));
    }

    /// False when the tensor does not fit.
    bool write(std::size_t buffer, const Tensor& from) {
        const std::size_t bytes = static_cast<std::size_t>(from.elements()) * itemSize(from.dtype());
        if (buffer >= m_buffers.size() || bytes > m_buffers[buffer]->size()) return false;
        if (bytes) std::memcpy(m_buffers[buffer]->data(), from.view().data, bytes);
        return true;
    }

    Tensor view(std::size_t buffer, DType dtype, const Shape& shape) const {
        const auto& bytes = m_buffers[buffer];
        return {{dtype, shape, rowMajorStrides(shape, itemSize(dtype)), bytes->data(), false}, bytes};
    }

private:
    std::vector<std::shared_ptr<std::vector<std::byte>>> m_buffers;
};

class Replay {
public:
    Replay(const lower::LoweredGraph& graph, const MemoryPlan& plan, const Target& target,
           const Progress& progress)
        : m_graph(graph)
        , m_plan(plan)
        , m_target(target)
        , m_progress(progress)
        , m_arena(plan) {}

    Status run(const Inputs& inputs, bool replayed) {
        m_weights = inputs.tensors;
        m_keys = inputs.keys;
        m_copies.assign(m_weights.size(), {});
        for (ValueIndex i = 0; i < m_weights.size(); ++i)
            if (auto s = load(i); !s) return s.error();
        for (std::size_t at = 0; at < m_graph.ops.size(); ++at) {
            const lower::LoweredOp& op = m_graph.ops[at];
            if (m_progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
            m_progress(at + (replayed ? m_graph.ops.size() : 0), 2 * m_graph.ops.size(), op.name);
            if (auto s = step(op, replayed); !s) return s.error();
        }
        return Done{};
    }

    Taps taps() const {
        Taps taps = tapsOf(m_graph, m_copies);
        taps.opsRun = static_cast<std::int64_t>(2 * m_graph.ops.size());
        return taps;
    }

private:
    static Error wrongPlan(const std::string& value) {
        return {ErrorCode::internal, "the memory plan is not of this program", value, ""};
    }

    /// Inputs go to their buffers; weights stay where they are, in the dtype they are kept in.
    Status load(ValueIndex i) {
        const block::Value& value = m_graph.block.graph.values[i];
        if (value.role == block::Role::intermediate) return Done{};
        if (storedOtherwise(m_graph, i)) {
            auto stored = converted(m_weights[i], m_graph.storage[i]);
            if (!stored) return stored.error();
            m_weights[i] = std::move(*stored);
            m_keys[i] = keyStoredAs(m_graph.storage[i], m_keys[i]);
        }
        if (value.role == block::Role::weight) return Done{};
        if (!m_plan.buffer[i] || !m_arena.write(*m_plan.buffer[i], m_weights[i]))
            return wrongPlan(value.name);
        m_copies[i] = m_weights[i];
        return Done{};
    }

    Tensor operand(ValueIndex i) const {
        if (!m_plan.buffer[i]) return m_weights[i];
        return m_arena.view(*m_plan.buffer[i], m_graph.storage[i], m_graph.block.shapes[i]);
    }

    /// Only weights have keys: what lies in a buffer is whatever was written there last.
    Key keyOf(ValueIndex i) const { return m_plan.buffer[i] ? Key{} : m_keys[i]; }

    Status step(const lower::LoweredOp& op, bool replayed) {
        std::vector<Tensor> in;
        std::vector<Key> keys;
        for (const ValueIndex i : op.inputs) {
            in.push_back(operand(i));
            keys.push_back(keyOf(i));
        }
        auto out = runOp(m_graph, op, in, {keys, {}}, m_target, m_progress);
        if (!out) return out.error();
        const auto buffer = m_plan.buffer[op.output];
        if (!buffer) return wrongPlan(op.name);
        // The kernel of a stale buffer writes where the capture had its output, which nobody reads any more.
        const bool lost = replayed && op.slots.buffer == lower::Buffer::stale;
        if (!lost && !m_arena.write(*buffer, *out)) return wrongPlan(op.name);
        if (replayed) m_copies[op.output] = copyOf(operand(op.output)); // a later op may write there
        return Done{};
    }

    static Tensor copyOf(const Tensor& from) {
        TensorBuilder copy(from.dtype(), from.shape());
        if (!copy.bytes().empty()) std::memcpy(copy.bytes().data(), from.view().data, copy.bytes().size());
        return std::move(copy).finish();
    }

    const lower::LoweredGraph& m_graph;
    const MemoryPlan& m_plan;
    const Target& m_target;
    const Progress& m_progress;
    Arena m_arena;
    std::vector<Tensor> m_weights; ///< by ValueIndex: inputs and weights as kept
    std::vector<Key> m_keys;       ///< by ValueIndex: of m_weights
    std::vector<Tensor> m_copies;  ///< by ValueIndex: taps
};

/// Leaves in the dtypes they are kept in, with the keys of those bits.
Status bringToStorage(const lower::LoweredGraph& graph, std::vector<Tensor>& tensors,
                      std::vector<Key>& keys) {
    for (ValueIndex i = 0; i < tensors.size(); ++i) {
        if (!storedOtherwise(graph, i)) continue;
        auto stored = converted(tensors[i], graph.storage[i]);
        if (!stored) return stored.error();
        tensors[i] = std::move(*stored);
        keys[i] = keyStoredAs(graph.storage[i], keys[i]);
    }
    return Done{};
}

/// Nothing where the backend replays no programs, or not this one.
Result<std::optional<Taps>> replayedByBackend(const lower::LoweredGraph& graph, Inputs previous, Inputs now,
                                              const Target& target, const Progress& progress) {
    for (const lower::LoweredOp& op : graph.ops)
        if (op.slots.raise != lower::Raise::nothing) return std::optional<Taps>();
    if (auto s = bringToStorage(graph, previous.tensors, previous.keys); !s) return s.error();
    if (auto s = bringToStorage(graph, now.tensors, now.keys); !s) return s.error();
    auto whole = target.backend.replayProgram(target.device, graph, {previous.tensors, now.tensors, now.keys},
                                              progress);
    if (!whole) return whole.error();
    if (!*whole) return std::optional<Taps>();
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        now.tensors[graph.ops[i].output] = std::move((*whole)->results[i]);
    Taps taps = tapsOf(graph, now.tensors);
    taps.opsRun = static_cast<std::int64_t>(2 * graph.ops.size());
    if (!(*whole)->note.empty()) taps.notes.push_back(std::move((*whole)->note));
    return std::optional<Taps>(std::move(taps));
}

Tensor reversed(const Tensor& from) {
    TensorBuilder builder(from.dtype(), from.shape());
    const auto out = builder.as<float>();
    const auto in = from.as<float>();
    std::reverse_copy(in.begin(), in.end(), out.begin());
    return std::move(builder).finish();
}

} // namespace

Result<Taps> replay(const lower::LoweredGraph& graph, const MemoryPlan& plan, const Inputs& previous,
                    const Inputs& inputs, const Target& target, const Progress& progress) {
    if (plan.buffer.size() != graph.block.graph.values.size())
        return Error{ErrorCode::internal, "the memory plan is not of this program", "", ""};
    Replay program(graph, plan, target, progress);
    if (auto s = program.run(previous, false); !s) return s.error();
    if (auto s = program.run(inputs, true); !s) return s.error();
    return program.taps();
}

bool needsReplay(const lower::LoweredGraph& graph) {
    return std::any_of(graph.ops.begin(), graph.ops.end(),
                       [](const auto& op) { return op.slots.buffer == lower::Buffer::stale; });
}

Result<Taps> runProgram(const lower::LoweredGraph& graph, const Inputs& inputs, std::uint64_t seed,
                        const Target& target, const Progress& progress) {
    if (!needsReplay(graph)) return execute(graph, inputs, target, progress);
    const auto previous = otherInputs(graph.block, inputs, seed, progress, &target.backend);
    if (!previous) return previous.error();
    auto whole = replayedByBackend(graph, *previous, inputs, target, progress);
    if (!whole) return whole.error();
    if (*whole) return std::move(**whole);
    return replay(graph, planMemory(graph), *previous, inputs, target, progress);
}

Result<Inputs> otherInputs(const block::BoundGraph& block, const Inputs& inputs, std::uint64_t seed,
                           const Progress& progress, Backend* backend) {
    Inputs other = inputs;
    for (ValueIndex i = 0; i < other.tensors.size(); ++i) {
        const block::Value& value = block.graph.values[i];
        if (value.role != block::Role::input) continue;
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        const bool fresh = !value.data && (block::isInputKind(value.filling.kind) ||
                                           value.filling.kind == block::FillKind::indices);
        other.tensors[i] = fresh ? drawn(block, i, seed + 1, backend) : reversed(inputs.tensors[i]);
        other.keys[i] = keyOf((fresh ? "next " : "reversed ") + toString(inputs.keys[i]));
    }
    return other;
}

} // namespace divdet::run
