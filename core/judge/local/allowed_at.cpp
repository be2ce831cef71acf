#include "judge/local/allowed_at.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "block/ops/support.h"
#include "judge/local/carried.h"
#include "judge/local/inner_roundings.h"

namespace divdet::local {
namespace {

using block::ValueIndex;

/// A value that was not recorded.
struct Computed {
    Operand operand;
    bool rounded = false; ///< to the dtype it is stored in: exactly, or as part of the bound
};

class Recomputed {
public:
    Recomputed(const RecordedRun& run, const Progress& progress)
        : m_run(run)
        , m_graph(run.declared)
        , m_progress(progress) {}

    Result<AllowedAt> at(std::size_t op) {
        AllowedAt out;
        if (auto s = computeFor(op, out.together); !s) return s.error();
        auto allowed = one(op);
        if (!allowed) return allowed.error();
        out.allowed = std::move(*allowed);
        return out;
    }

    Result<std::vector<Tensor>> operandsOf(std::size_t op) {
        std::vector<std::string> together;
        if (auto s = computeFor(op, together); !s) return s.error();
        std::vector<Tensor> out;
        for (const ValueIndex in : m_graph.ops[op].inputs) {
            bool rounded = true;
            auto x = read(in, true, rounded);
            if (!x) return x.error();
            out.push_back(std::move(x->value));
        }
        return out;
    }

private:
    Status computeFor(std::size_t op, std::vector<std::string>& names) {
        const auto needed = neededFor(op);
        if (!needed) return needed.error();
        for (const std::size_t i : *needed) {
            if (auto s = compute(i); !s) return s;
            names.push_back(m_graph.block.graph.values[m_graph.ops[i].output].name);
        }
        return Done{};
    }

    const block::Value& value(ValueIndex i) const { return m_graph.block.graph.values[i]; }

    /// Of a weight the file that the user gave, of all else what the candidate recorded.
    Result<Tensor> recorded(ValueIndex i) const {
        const run::Tap* tap =
            value(i).role == block::Role::weight ? nullptr : m_run.candidate.find(value(i).name);
        if (tap) return storedAs(m_graph, i, tap->tensor);
        if (value(i).role == block::Role::intermediate) return Tensor();
        const bool given = i < m_run.inputs.size() && isThere(m_run.inputs[i]);
        if (given) return storedAs(m_graph, i, m_run.inputs[i]);
        const bool weight = value(i).role == block::Role::weight;
        return Error{ErrorCode::notFound,
                     fmt::format("the {} {} is not there", weight ? "weight" : "input", value(i).name),
                     value(i).name, "give it with --inputs"};
    }

    /// Ops before `op` whose results it needs and nobody recorded, in the program's order.
    Result<std::vector<std::size_t>> neededFor(std::size_t op) const {
        std::map<ValueIndex, std::size_t> producers;
        for (std::size_t i = 0; i < op; ++i) producers[m_graph.ops[i].output] = i;
        std::vector<bool> needed(op + 1);
        needed[op] = true;
        for (std::size_t i = op + 1; i-- > 0;) {
            if (!needed[i]) continue;
            for (const ValueIndex in : m_graph.ops[i].inputs) {
                const auto there = recorded(in);
                if (!there) return there.error();
                if (isThere(*there)) continue;
                const auto from = producers.find(in);
                if (from == producers.end())
                    return Error{ErrorCode::notFound, value(in).name + " was not recorded", value(in).name,
                                 ""};
                needed[from->second] = true;
            }
        }
        std::vector<std::size_t> out;
        for (std::size_t i = 0; i < op; ++i)
            if (needed[i]) out.push_back(i);
        return out;
    }

    /// As op number `at` reads it. What is moved keeps its rounding for later.
    Result<Operand> read(ValueIndex in, bool moves, bool& rounded) const {
        auto there = recorded(in);
        if (!there) return there.error();
        if (isThere(*there)) return Operand{std::move(*there), {}};
        const Computed& c = m_values.at(in);
        rounded = rounded && c.rounded;
        if (c.rounded || moves) return c.operand;
        Allowed x{block::ops::doubles(c.operand.value), c.operand.bound};
        roundOnTheWay(m_graph.storage[in], x);
        return Operand{c.operand.value, std::move(x.bound)};
    }

    Result<Allowed> one(std::size_t at, bool* rounded = nullptr) {
        const lower::LoweredOp& op = m_graph.ops[at];
        const bool moves = movesOnly(op.kind);
        bool all = true;
        std::vector<Operand> operands;
        for (const ValueIndex in : op.inputs) {
            auto x = read(in, moves, all);
            if (!x) return x.error();
            operands.push_back(std::move(*x));
        }
        if (rounded) *rounded = moves && all;
        auto out = allowedFrom(op, operands, m_run.arch, m_run.order, m_progress);
        if (!out || m_run.order == Order::known) return out;
        addInnerRoundings(op, operands, *out);
        if (op.kind == block::OpKind::add) addStart(op, operands, *out);
        return out;
    }

    /// A foreign kernel may take what is added to a product that was not recorded into the sum itself.
    void addStart(const lower::LoweredOp& op, const std::vector<Operand>& operands, Allowed& out) const {
        for (std::size_t side = 0; side < 2; ++side) {
            const auto product = std::find_if(m_graph.ops.begin(), m_graph.ops.end(), [&](const auto& p) {
                return p.output == op.inputs[side] && block::opDef(p.kind).traits.matrixProduct;
            });
            if (product == m_graph.ops.end() || !m_values.contains(op.inputs[side])) continue;
            const Shape& w = m_graph.block.shapes[product->inputs[1]];
            const bool conv = product->kind == block::OpKind::conv2d;
            const auto terms = static_cast<std::size_t>(conv ? *elementCount(w) / w[0] : w[w.size() - 2]);
            const double lost = lostOfStart(product->slots.operand, terms);
            const auto start = block::ops::doubles(operands[1 - side].value);
            for (std::size_t i = 0; i < out.bound.size(); ++i)
                out.bound[i] += lost * std::abs(start[i % start.size()]);
        }
    }

    Status compute(std::size_t at) {
        const lower::LoweredOp& op = m_graph.ops[at];
        Computed c;
        auto allowed = one(at, &c.rounded);
        if (!allowed) return allowed.error();
        c.operand.value = block::ops::tensorOfDoubles(m_graph.block.shapes[op.output], allowed->exact);
        const bool certain = c.rounded && std::all_of(allowed->bound.begin(), allowed->bound.end(),
                                                      [](double b) { return b == 0; });
        if (!certain) c.operand.bound = std::move(allowed->bound);
        m_values[op.output] = std::move(c);
        return Done{};
    }

    const RecordedRun& m_run;
    const lower::LoweredGraph& m_graph;
    const Progress& m_progress;
    std::map<ValueIndex, Computed> m_values;
};

} // namespace

Result<AllowedAt> allowedAt(const RecordedRun& run, std::size_t op, const Progress& progress) {
    return Recomputed(run, progress).at(op);
}

Result<std::vector<Tensor>> operandsAt(const RecordedRun& run, std::size_t op, const Progress& progress) {
    return Recomputed(run, progress).operandsOf(op);
}

} // namespace divdet::local
