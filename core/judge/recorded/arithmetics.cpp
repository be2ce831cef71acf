#include "judge/recorded/arithmetics.h"

#include <algorithm>
#include <iterator>

#include "judge/recorded/storage.h"
#include "lower/lower.h"
#include "lower/pass_def.h"

namespace divdet::recorded {
namespace {

using lower::PassChoice;
using Choices = std::vector<PassChoice>;

constexpr int kChunks = 8; ///< partial sums that are combined in 16 bits, where nobody says how many

bool fits(const block::BoundGraph& block, const PassChoice& choice) {
    return static_cast<bool>(lower::checkFit(block, choice));
}

void add(const block::BoundGraph& block, std::string_view text, Choices& to) {
    auto choice = lower::parsePass(text);
    if (choice && fits(block, *choice)) to.push_back(std::move(*choice));
}

/// TF32 of convolutions only.
void addConvolutions(const block::BoundGraph& block, Choices& to) {
    PassChoice choice{"tf32", "rne", {}};
    for (const block::Op& op : block.graph.ops)
        if (op.kind == block::OpKind::conv2d) choice.ops.push_back(block.graph.opName(op));
    if (!choice.ops.empty()) to.push_back(std::move(choice));
}

/// Precisions of operands, each by itself.
Choices operandChoices(const block::BoundGraph& block, const Declared& d) {
    Choices out;
    if (d.has(LossyStep::tf32) || d.has(LossyStep::tf32Operands))
        for (const char* mode : {"tf32=rne", "tf32=rna", "tf32=rz"}) add(block, mode, out);
    if (d.has(LossyStep::tf32Convolutions)) addConvolutions(block, out);
    if (d.has(LossyStep::bf16) || d.has(LossyStep::bf16Operands)) add(block, "bf16", out);
    if (d.has(LossyStep::fp16) || d.has(LossyStep::fp16Operands)) add(block, "fp16", out);
    if (d.fp8()) add(block, "fp8", out);
    if (d.int4()) add(block, "int4-weights", out);
    if (d.has(LossyStep::int8) || d.has(LossyStep::int8PerTensor) || d.has(LossyStep::int8PerChannelWeights))
        for (const char* scales : {"int8=per-token", "int8=per-tensor"}) add(block, scales, out);
    return out;
}

/// The first of each pass: variants exclude each other.
Choices together(const Choices& all) {
    Choices out;
    for (const auto& c : all)
        if (std::none_of(out.begin(), out.end(), [&](const auto& known) { return known.id == c.id; }))
            out.push_back(c);
    return out;
}

std::vector<Choices> allChoices(const block::BoundGraph& block, const Declared& d) {
    const Choices operands = operandChoices(block, d);
    std::vector<Choices> sets{together(operands)};
    if (operands.size() > 1)
        for (const auto& one : operands) sets.push_back({one});
    if (!operands.empty()) sets.emplace_back();
    for (const auto step : {LossyStep::geluTanh, LossyStep::onePassVariance}) {
        Choices formula;
        if (d.has(step)) add(block, id(step), formula);
        if (formula.empty()) continue;
        const std::size_t plain = sets.size();
        for (std::size_t i = 0; i < plain; ++i) {
            sets.push_back(sets[i]); // also without it
            sets[i].push_back(formula[0]);
        }
    }
    for (auto& set : sets)
        for (const auto step : {LossyStep::flushToZero, LossyStep::fastMath})
            if (d.has(step)) add(block, id(step), set);
    return sets;
}

/// A kernel multiplies numbers of the 16-bit type that its result has.
void settleOperands(lower::LoweredGraph& g) {
    for (lower::LoweredOp& op : g.ops) {
        if (!block::opDef(op.kind).traits.matrixProduct) continue;
        lower::Slots& s = op.slots;
        const bool plain = s.operand == lower::Operand::f32 || lower::onTensorCore(s.operand);
        if (plain && s.storage == DType::bf16) s.operand = lower::Operand::bf16;
        if (plain && s.storage == DType::f16) s.operand = lower::Operand::fp16;
    }
}

/// Partial sums that the declared steps let a kernel add in 16 bits. Whether there are any.
bool settlePartials(lower::LoweredGraph& g, const Declared& d) {
    bool any = false;
    for (lower::LoweredOp& op : g.ops) {
        lower::Slots& s = op.slots;
        if (!block::opDef(op.kind).traits.matrixProduct) continue;
        if (!d.bf16Partials(s.storage) && !d.fp16Partials(s.storage)) continue;
        any = true;
        s.order = lower::SumOrder::splitK;
        s.partials = d.bf16Partials(s.storage) ? DType::bf16 : DType::f16;
        s.splits = kChunks;
        if (!d.has(LossyStep::fp16Accumulation) || s.partials != DType::f16) continue;
        for (const block::Op& written : g.block.graph.ops) // every addition is rounded
            if (written.output == op.output)
                s.splits = static_cast<int>(std::max<std::int64_t>(1, lower::termsOf(g.block, written)));
    }
    return any;
}

} // namespace

Result<std::vector<lower::LoweredGraph>> foreignArithmetics(const block::BoundGraph& block,
                                                            const Declared& declared, const run::Taps& taps,
                                                            const std::vector<Tensor>& inputs) {
    std::vector<lower::LoweredGraph> out, withPartials;
    const auto enter = [&](const Choices& choices, bool asGiven) -> Result<bool> {
        auto g = lower::lower(block, choices);
        if (!g) return g.error();
        storeAsRecorded(*g, declared, taps);
        const bool changes = storeInputs(*g, inputs, asGiven);
        if (asGiven && !changes) return false;
        settleOperands(*g);
        out.push_back(*g);
        if (settlePartials(*g, declared)) withPartials.push_back(std::move(*g));
        return changes;
    };
    const auto sets = allChoices(block, declared);
    bool changes = false;
    for (const Choices& choices : sets) {
        const auto entered = enter(choices, false);
        if (!entered) return entered.error();
        changes = changes || *entered;
    }
    for (std::size_t i = 0; changes && i < sets.size(); ++i)
        if (auto entered = enter(sets[i], true); !entered) return entered.error();
    std::move(withPartials.begin(), withPartials.end(), std::back_inserter(out)); // the widest bounds last
    return out;
}

Result<lower::LoweredGraph> ownArithmetic(const block::BoundGraph& block, const Declared& declared) {
    Choices choices;
    if (block.graph.made)
        for (const std::string& text : block.graph.made->passes) {
            auto choice = lower::parsePass(text);
            if (!choice) return choice.error();
            choices.push_back(std::move(*choice));
        }
    for (const LossyStep step : declared.steps()) {
        Choices more;
        add(block, id(step), more);
        const bool known = std::any_of(choices.begin(), choices.end(),
                                       [&](const PassChoice& c) { return c.id == id(step); });
        if (!known) choices.insert(choices.end(), more.begin(), more.end());
    }
    return lower::lower(block, choices);
}

numerics::Arch foreignArch(const Declared& declared) {
    return declared.fp8() ? numerics::Arch::sm89 : numerics::Arch::sm80;
}

} // namespace divdet::recorded
