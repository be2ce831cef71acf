#include "lower/slots.h"

#include <fmt/format.h>

namespace divdet::lower {
namespace {

std::string_view name(Operand operand) {
    static constexpr std::string_view kNames[] = {"f32", "tf32", "bf16", "fp16", "int4", "fp8", "int8"};
    return kNames[static_cast<std::size_t>(operand)];
}
std::string_view name(Tf32Mode mode) {
    static constexpr std::string_view kNames[] = {"rne", "rna", "rz"};
    return kNames[static_cast<std::size_t>(mode)];
}
std::string_view name(Accumulator accumulator) {
    static constexpr std::string_view kNames[] = {"native", "bf16", "fp16", "instruction-fp16"};
    return kNames[static_cast<std::size_t>(accumulator)];
}
std::string_view name(SumOrder order) {
    static constexpr std::string_view kNames[] = {"published", "pairwise", "strided", "splitk", "atomics"};
    return kNames[static_cast<std::size_t>(order)];
}

std::string_view name(Formula formula) {
    static constexpr std::string_view kNames[] = {"as-written", "gelu-tanh", "one-pass-variance",
                                                  "masked-row-nan"};
    return kNames[static_cast<std::size_t>(formula)];
}
std::string_view name(Scales scales) {
    static constexpr std::string_view kNames[] = {"calibrated", "clipped-weight", "clipped-activation",
                                                  "neighbour"};
    return kNames[static_cast<std::size_t>(scales)];
}

std::string operandText(const Slots& s) {
    std::string text(name(s.operand));
    if (s.operand == Operand::tf32) text += fmt::format(":{}", name(s.tf32Mode));
    if (s.operand == Operand::int8)
        text += s.granularity == Granularity::perToken ? ":per-token" : ":per-tensor";
    if (s.operand == Operand::fp8) text += s.fp8Format == Fp8Format::e4m3 ? ":e4m3" : ":e5m2";
    if (s.operand == Operand::int4) text += fmt::format(":group:{}", s.group);
    return text;
}

std::string orderText(const Slots& s) {
    if (s.order == SumOrder::splitK) return fmt::format("splitk:{}", s.splits);
    if (s.order == SumOrder::atomics) return fmt::format("atomics:{}:seed:{}", s.splits, s.orderSeed);
    return std::string(name(s.order));
}

std::string scalesText(const Slots& s) {
    std::string text = fmt::format("{}:{}", name(s.scales), s.scaleChannel);
    if (s.scales != Scales::neighbour) text += fmt::format(":{}", s.clip);
    return text;
}

} // namespace

std::string_view name(Slot slot) {
    static constexpr std::string_view kNames[kSlotCount] = {
        "operand", "accumulator", "order",      "partials", "storage", "maths",   "fusion",
        "buffer",  "formula",     "subnormals", "scales",   "tail",    "barrier", "raise"};
    return kNames[static_cast<std::size_t>(slot)];
}

int operandRank(Operand operand) {
    static constexpr int kRanks[] = {0, 2, 4, 4, 6, 8, 10};
    return kRanks[static_cast<std::size_t>(operand)];
}

bool onTensorCore(Operand operand) {
    return operand == Operand::tf32 || operand == Operand::bf16 || operand == Operand::fp16;
}

std::string toString(const Slots& s) {
    std::string text;
    const auto put = [&](Slot slot, std::string_view value) {
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", name(slot), value);
    };
    if (s.operand != Operand::f32) put(Slot::operand, operandText(s));
    if (s.accumulator != Accumulator::native) put(Slot::accumulator, name(s.accumulator));
    if (s.order != SumOrder::published) put(Slot::order, orderText(s));
    if (s.partials != DType::f32) put(Slot::partials, divdet::name(s.partials));
    if (s.storage != DType::f32) put(Slot::storage, divdet::name(s.storage));
    if (s.maths != Maths::exact) put(Slot::maths, "fast");
    if (s.fused) put(Slot::fusion, "fused");
    if (s.buffer != Buffer::fresh) put(Slot::buffer, "stale");
    if (s.formula != Formula::asWritten) put(Slot::formula, name(s.formula));
    if (s.subnormals != Subnormals::kept) put(Slot::subnormals, "flushed");
    if (s.scales != Scales::calibrated) put(Slot::scales, scalesText(s));
    if (s.tailTile > 0) put(Slot::tail, fmt::format("dropped:{}", s.tailTile));
    if (s.missingBarrier) put(Slot::barrier, fmt::format("missing:seed:{}", s.barrierSeed));
    if (s.raise != Raise::nothing)
        put(Slot::raise, s.raise == Raise::assertion ? "assertion" : "unsupported");
    return text;
}

void reset(Slots& s, Slot slot) {
    const Slots plain;
    switch (slot) {
    case Slot::operand:
        s.operand = plain.operand;
        s.tf32Mode = plain.tf32Mode;
        s.granularity = plain.granularity;
        s.fp8Format = plain.fp8Format;
        s.group = plain.group;
        return;
    case Slot::accumulator:
        s.accumulator = plain.accumulator;
        return;
    case Slot::order:
        s.order = plain.order;
        s.splits = plain.splits;
        s.orderSeed = plain.orderSeed;
        return;
    case Slot::partials:
        s.partials = plain.partials;
        return;
    case Slot::storage:
        s.storage = plain.storage;
        return;
    case Slot::maths:
        s.maths = plain.maths;
        return;
    case Slot::fusion:
        s.fused = plain.fused;
        return;
    case Slot::buffer:
        s.buffer = plain.buffer;
        return;
    case Slot::formula:
        s.formula = plain.formula;
        return;
    case Slot::subnormals:
        s.subnormals = plain.subnormals;
        return;
    case Slot::scales:
        s.scales = plain.scales;
        s.scaleChannel = plain.scaleChannel;
        s.clip = plain.clip;
        return;
    case Slot::tail:
        s.tailTile = plain.tailTile;
        return;
    case Slot::barrier:
        s.missingBarrier = plain.missingBarrier;
        s.barrierSeed = plain.barrierSeed;
        return;
    case Slot::raise:
        s.raise = plain.raise;
        return;
    }
}

} // namespace divdet::lower
