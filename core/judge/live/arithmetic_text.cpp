#include "judge/live/arithmetic_text.h"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace divdet {
namespace {

using lower::Operand;

std::string operands(const lower::Slots& s) {
    switch (s.operand) {
    case Operand::f32:
        return "";
    case Operand::tf32:
        return "tf32 operands";
    case Operand::bf16:
        return "bf16 operands";
    case Operand::fp16:
        return "fp16 operands";
    case Operand::int4:
        return "int4 weights";
    case Operand::fp8:
        return "fp8 operands";
    case Operand::int8:
        return s.granularity == lower::Granularity::perToken ? "int8 with a scale per token"
                                                             : "int8 with a scale per tensor";
    }
    return "";
}

std::string sums(const lower::LoweredOp& op) {
    const lower::Slots& s = op.slots;
    if (!block::opDef(op.kind).traits.longSum) return "";
    if (s.operand == Operand::int8) return "exact integer sums";
    switch (s.order) {
    case lower::SumOrder::published:
        return lower::onTensorCore(s.operand) ? "sums as the tensor core makes them" : "fp32 sums";
    case lower::SumOrder::pairwise:
        return "fp32 sums, pairwise";
    case lower::SumOrder::strided:
        return "fp32 sums, strided";
    case lower::SumOrder::splitK:
        return fmt::format("sums in {} chunks", s.splits);
    case lower::SumOrder::atomics:
        return "sums in the order of arrival";
    }
    return "";
}

} // namespace

std::string arithmeticText(const lower::LoweredOp& op) {
    const lower::Slots& s = op.slots;
    std::vector<std::string> parts;
    const auto add = [&](std::string text) {
        if (!text.empty()) parts.push_back(std::move(text));
    };
    add(operands(s));
    add(sums(op));
    if (s.partials != DType::f32) add(fmt::format("chunks combined in {}", name(s.partials)));
    if (s.formula == lower::Formula::geluTanh) add("gelu by tanh");
    if (s.formula == lower::Formula::onePassVariance) add("variance in one pass");
    if (s.maths == lower::Maths::fast) add("fast functions");
    if (s.fused) add("fused");
    if (s.subnormals == lower::Subnormals::flushed) add("subnormals flushed");
    if (s.storage != DType::f32) add(fmt::format("stored as {}", name(s.storage)));
    return parts.empty() ? "fp32" : fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace divdet
