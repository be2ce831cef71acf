#include "lower/lower.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lower/fusion.h"
#include "lower/resolve.h"
#include "lower/stages.h"

namespace divdet::lower {
namespace {

using block::ValueIndex;

void merge(std::vector<Overridden>& all, std::vector<Overridden> fresh) {
    for (Overridden& o : fresh) {
        const auto same = std::find_if(all.begin(), all.end(), [&](const Overridden& known) {
            return known.loser == o.loser && known.winner == o.winner && known.slot == o.slot;
        });
        if (same == all.end())
            all.push_back(std::move(o));
        else
            same->ops.push_back(o.ops.front());
    }
}

Slots actingSlots(const Slots& all) {
    Slots acting;
    acting.maths = all.maths;
    acting.formula = all.formula;
    return acting;
}

/// An op that raises an error does so in whichever kernel it ends up.
void takeRaise(LoweredOp& op, const Resolved& joined) {
    if (op.slots.raise != Raise::nothing || joined.slots.raise == Raise::nothing) return;
    op.slots.raise = joined.slots.raise;
    op.setBy[static_cast<std::size_t>(Slot::raise)] = joined.setBy[static_cast<std::size_t>(Slot::raise)];
}

/// The product takes over the ops behind it; its kernel runs where the last of them stood, because their
/// second operands must exist by then.
void absorb(LoweredGraph& g, LoweredOp& op, const std::vector<std::size_t>& chain) {
    bool stale = op.slots.buffer == Buffer::stale;
    for (std::size_t at : chain) {
        const block::Op& next = g.block.graph.ops[at];
        const Resolved joined = resolve(g.block, next, g.passes);
        takeRaise(op, joined);
        FusedStep step{next.kind, next.attributes, std::nullopt, actingSlots(joined.slots)};
        for (ValueIndex in : next.inputs) {
            if (in == op.output) continue;
            step.operand = op.inputs.size();
            op.inputs.push_back(in);
        }
        const std::string& gone = g.block.graph.values[op.output].name;
        g.notes.push_back(
            fmt::format("{} is fused into {} and has no tap", gone, g.block.graph.opName(next)));
        if (stale) g.notes.push_back(fmt::format("{} has no buffer that could be stale", gone));
        stale = joined.slots.buffer == Buffer::stale;
        g.fusedAway.push_back(gone);
        op.fused.push_back(std::move(step));
        op.output = next.output;
    }
}

/// A fused kernel writes the tap of its last step: in the dtype which that op would have stored, subnormals
/// as it would have left them, to that op's buffer.
void storeAs(LoweredOp& op, const Resolved& last) {
    op.slots.storage = last.slots.storage;
    op.slots.subnormals = last.slots.subnormals;
    op.slots.buffer = last.slots.buffer;
    for (const Slot slot : {Slot::storage, Slot::subnormals, Slot::buffer})
        op.setBy[static_cast<std::size_t>(slot)] = last.setBy[static_cast<std::size_t>(slot)];
}

/// Inputs and weights are kept in the dtype that every kernel which reads them stores its results in.
void settleStorage(LoweredGraph& g) {
    g.storage.assign(g.block.graph.values.size(), DType::f32);
    std::vector<bool> read(g.storage.size());
    for (const LoweredOp& op : g.ops)
        for (std::size_t at = 0; at < op.inputs.size(); ++at) {
            const ValueIndex in = op.inputs[at];
            if (g.block.graph.values[in].role == block::Role::intermediate) continue;
            // Row numbers stay whole in fp32 alone.
            const bool rowNumbers = static_cast<int>(at) == block::opDef(op.kind).traits.indexInput;
            const DType wanted = rowNumbers ? DType::f32 : op.slots.storage;
            if (!read[in])
                g.storage[in] = wanted;
            else if (g.storage[in] != wanted)
                g.storage[in] = DType::f32;
            read[in] = true;
        }
    for (const LoweredOp& op : g.ops) g.storage[op.output] = op.slots.storage;
}

/// One sentence for each pair of passes, whichever slots are at stake.
std::vector<Overridden> withoutSlots(const std::vector<Overridden>& all) {
    std::vector<Overridden> pairs;
    for (const Overridden& o : all) {
        const auto known = std::find_if(pairs.begin(), pairs.end(), [&](const Overridden& p) {
            return p.loser == o.loser && p.winner == o.winner;
        });
        if (known == pairs.end()) {
            pairs.push_back(o);
            continue;
        }
        for (const std::string& op : o.ops)
            if (std::count(known->ops.begin(), known->ops.end(), op) == 0) known->ops.push_back(op);
    }
    return pairs;
}

void writeNotes(LoweredGraph& g) {
    std::vector<std::string> notes;
    for (const Overridden& o : withoutSlots(g.overridden))
        notes.push_back(
            fmt::format("{} is overridden by {} on {}", o.loser, o.winner, fmt::join(o.ops, ", ")));
    notes.insert(notes.end(), g.notes.begin(), g.notes.end());
    g.notes = std::move(notes);
}

} // namespace

LoweredGraph lowered(const block::BoundGraph& block, const std::vector<PassChoice>& choices) {
    LoweredGraph g{block, choices, {}, {}, {}, {}, {}};
    std::vector<std::pair<std::size_t, LoweredOp>> placed;
    std::vector<bool> taken(block.graph.ops.size());
    for (std::size_t i = 0; i < block.graph.ops.size(); ++i) {
        if (taken[i]) continue;
        const block::Op& op = block.graph.ops[i];
        Resolved r = resolve(block, op, choices);
        merge(g.overridden, std::move(r.overridden));
        LoweredOp lowered{op.kind,           block.graph.opName(op), op.inputs, op.output,
                          op.attributes,     op.inputs.size(),       {},        r.slots,
                          std::move(r.setBy)};
        std::size_t place = i;
        if (r.slots.fused) {
            const auto chain = fusableConsumers(block, op);
            for (std::size_t at : chain) taken[at] = true;
            absorb(g, lowered, chain);
            if (!chain.empty()) {
                place = chain.back();
                storeAs(lowered, resolve(block, block.graph.ops[place], choices));
            }
        }
        placed.emplace_back(place, std::move(lowered));
    }
    std::sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [place, op] : placed) g.ops.push_back(std::move(op));
    settleStorage(g);
    writeNotes(g);
    return g;
}

} // namespace divdet::lower
