#include "run/golden/golden_cases.h"

#include <algorithm>
#include <charconv>

namespace divdet::run::golden {
namespace {

lower::Slots slotsNamed(std::string_view name) {
    lower::Slots s;
    if (name == "pairwise") s.order = lower::SumOrder::pairwise;
    if (name == "strided") s.order = lower::SumOrder::strided;
    if (name == "splitk:8") {
        s.order = lower::SumOrder::splitK;
        s.splits = 8;
    }
    if (name == "bf16-sum") s.accumulator = lower::Accumulator::bf16;
    if (name == "fp16-sum") s.accumulator = lower::Accumulator::fp16;
    if (name == "tf32") s.operand = lower::Operand::tf32;
    if (name == "bf16") s.operand = lower::Operand::bf16;
    if (name == "fp16" || name == "fp16-instruction") s.operand = lower::Operand::fp16;
    if (name == "fp16-instruction") s.accumulator = lower::Accumulator::instructionFp16;
    if (name == "fp8") s.operand = lower::Operand::fp8;
    if (name == "int8") s.operand = lower::Operand::int8;
    if (name == "gelu-tanh") s.formula = lower::Formula::geluTanh;
    return s;
}

float valueOf(std::uint32_t bits) {
    float x;
    static_assert(sizeof x == sizeof bits);
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}

Tensor tensorOfInput(const Input& in) {
    TensorBuilder out(DType::f32, in.shape);
    std::uint32_t x = in.seed;
    const auto to = out.as<float>();
    for (std::size_t i = 0; i < to.size(); ++i) {
        x = 1664525u * x + 1013904223u;
        to[i] = in.bits.empty() ? static_cast<float>(static_cast<std::int32_t>(x >> 8) - (1 << 23)) * 0x1p-23f
                                : valueOf(in.bits[i]);
    }
    return std::move(out).finish();
}

} // namespace

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
#include "run/golden/cases.inc"
    };
    return all;
}

std::vector<std::string_view> arithmetics() {
    std::vector<std::string_view> names;
    for (const Case& c : cases())
        if (std::find(names.begin(), names.end(), c.arithmetic) == names.end()) names.push_back(c.arithmetic);
    return names;
}

const std::vector<std::uint32_t>* answerOf(const Case& c, std::string_view architecture) {
    int sm = -1;
    if (architecture.starts_with("sm_"))
        std::from_chars(architecture.data() + 3, architecture.data() + architecture.size(), sm);
    for (const Answer& a : c.answers)
        for (int known : a.architectures)
            if (known == 0 || known == sm) return &a.bits;
    return nullptr;
}

lower::LoweredOp opOf(const Case& c) {
    lower::LoweredOp op{c.kind, std::string(c.arithmetic), {}, c.inputs.size(), {}, c.inputs.size(),
                        {},     slotsNamed(c.slots),       {}};
    for (std::size_t i = 0; i < c.inputs.size(); ++i) op.inputs.push_back(i);
    if (c.eps != 0) op.attributes["eps"] = static_cast<double>(c.eps);
    return op;
}

std::vector<Tensor> inputsOf(const Case& c) {
    std::vector<Tensor> inputs;
    for (const Input& in : c.inputs) inputs.push_back(tensorOfInput(in));
    return inputs;
}

} // namespace divdet::run::golden
