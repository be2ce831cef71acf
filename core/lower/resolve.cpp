#include "lower/resolve.h"

#include <algorithm>

#include "lower/pass_def.h"

namespace divdet::lower {
namespace {

struct Owned {
    const PassChoice* choice;
    Claim claim;
};

std::vector<Owned> claimsOn(const block::BoundGraph& block, const block::Op& op,
                            const std::vector<PassChoice>& choices) {
    std::vector<Owned> all;
    const std::string& opName = block.graph.opName(op);
    for (const PassChoice& choice : choices) {
        const PassDef& def = *passDef(choice.id);
        const bool named = std::count(choice.ops.begin(), choice.ops.end(), opName) > 0;
        if (!choice.ops.empty() && !named) continue;
        if (!def.claims || !def.whyNot(block, op, choice.variant).empty()) continue;
        if (def.single && !named && actingOps(block, choice).front() != opName) continue;
        for (Claim& claim : def.claims(block, op, choice.variant)) all.push_back({&choice, std::move(claim)});
    }
    return all;
}

class Resolver {
public:
    explicit Resolver(std::string opName)
        : m_opName(std::move(opName)) {}

    void settle(Slot slot, const std::vector<Owned>& claims) {
        const Owned* winner = nullptr;
        for (const Owned& c : claims)
            if (c.claim.slot == slot && (!winner || c.claim.rank >= winner->claim.rank)) winner = &c;
        if (!winner) return;
        winner->claim.set(m_out.slots);
        m_out.setBy[index(slot)] = winner->choice->id;
        for (const Owned& c : claims)
            if (c.claim.slot == slot && &c != winner && !c.claim.implied)
                lose(c.choice->id, winner->choice->id, slot);
    }

    /// A value of one slot can leave another slot without meaning.
    void settleConflicts() {
        const Slots& s = m_out.slots;
        const bool tree = s.order == SumOrder::pairwise || s.order == SumOrder::strided;
        if (s.accumulator == Accumulator::instructionFp16 && s.operand != Operand::fp16)
            drop(Slot::accumulator, Slot::operand); // only that instruction has one
        Slot cause = Slot::order;
        if (s.order != SumOrder::published) {
            if (s.operand == Operand::int8)
                drop(Slot::order, cause = Slot::operand); // an integer sum is exact in any order
            else if (s.accumulator == Accumulator::bf16 || s.accumulator == Accumulator::fp16)
                drop(Slot::order, cause = Slot::accumulator); // there is one running sum
            else if (tree && (onTensorCore(s.operand) || s.operand == Operand::fp8))
                drop(Slot::order, cause = Slot::operand); // the instruction fixes the tree
        }
        const bool chunks = s.order == SumOrder::splitK || s.order == SumOrder::atomics;
        if (s.partials != DType::f32 && !chunks) drop(Slot::partials, cause); // nothing to combine
        if (s.scales != Scales::calibrated && s.operand != Operand::int8)
            drop(Slot::scales, Slot::operand); // only int8 has them
    }

    Resolved take() && { return std::move(m_out); }

private:
    static std::size_t index(Slot slot) { return static_cast<std::size_t>(slot); }

    void lose(const std::string& loser, const std::string& winner, Slot slot) {
        m_out.overridden.push_back({loser, winner, slot, {m_opName}});
    }

    /// Without a pass behind `because` nothing overrides: the value just has nothing to act on.
    void drop(Slot slot, Slot because) {
        const std::string& winner = m_out.setBy[index(because)];
        if (!winner.empty()) lose(m_out.setBy[index(slot)], winner, slot);
        reset(m_out.slots, slot);
        m_out.setBy[index(slot)].clear();
    }

    std::string m_opName;
    Resolved m_out;
};

} // namespace

Resolved resolve(const block::BoundGraph& block, const block::Op& op,
                 const std::vector<PassChoice>& choices) {
    const auto claims = claimsOn(block, op, choices);
    Resolver resolver(block.graph.opName(op));
    for (std::size_t i = 0; i < kSlotCount; ++i) resolver.settle(static_cast<Slot>(i), claims);
    resolver.settleConflicts();
    return std::move(resolver).take();
}

} // namespace divdet::lower
