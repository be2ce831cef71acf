#include "cuda/module/slots.h"

#include "cuda/module/failure.h"

namespace divdet::cuda {
namespace {

/// A count that may not be negative.
std::size_t count(const Attributes& a, const std::string& key, std::int64_t fallback) {
    const std::int64_t n = a.integer(key, fallback);
    if (n < 0) invalid("attribute " + key + " is negative");
    return static_cast<std::size_t>(n);
}

} // namespace

Slots Slots::of(const Attributes& a) {
    Slots s;
    s.operand = a.oneOf<Operand>("operand", {"f32", "tf32", "bf16", "fp16", "int4", "fp8", "int8"});
    s.tf32Mode = a.oneOf<Tf32Mode>("tf32.rounding", {"rne", "rna", "rz"});
    s.perTensor = a.oneOf<bool>("int8.granularity", {"per-token", "per-tensor"});
    s.e5m2 = a.oneOf<bool>("fp8.format", {"e4m3", "e5m2"});
    s.group = count(a, "int4.group", 128);
    if (s.group == 0) invalid("attribute int4.group is 0");
    s.accumulator = a.oneOf<Accumulator>("accumulator", {"native", "bf16", "fp16", "instruction-fp16"});
    s.order = a.oneOf<Order>("order", {"published", "pairwise", "strided", "splitk", "atomics"});
    s.splits = count(a, "order.splits", 1);
    s.orderSeed = a.seed("order.seed");
    s.partials = a.oneOf<numerics::PartialFormat>("partials", {"f32", "bf16", "f16"});
    s.fast = a.oneOf<bool>("maths", {"exact", "fast"});
    s.fused = a.oneOf<bool>("fused", {"no", "yes"});
    s.formula =
        a.oneOf<Formula>("formula", {"as-written", "gelu-tanh", "one-pass-variance", "masked-row-nan"});
    s.flushed = a.oneOf<bool>("subnormals", {"kept", "flushed"});
    s.scales = a.oneOf<Scales>("scales", {"calibrated", "clipped-weight", "clipped-activation", "neighbour"});
    s.scaleChannel = count(a, "scales.channel", 0);
    s.clip = a.number("scales.clip", 1.0f);
    s.hardwareAtomics = a.oneOf<bool>("atomics", {"seeded", "hardware"});
    s.tailTile = count(a, "tail.tile", 0);
    s.missingBarrier = a.oneOf<bool>("barrier", {"there", "missing"});
    s.barrierSeed = a.seed("barrier.seed");
    return s;
}

numerics::PartialFormat Slots::accumulatorFormat() const {
    if (accumulator == Accumulator::bf16) return numerics::PartialFormat::bf16;
    return accumulator == Accumulator::fp16 ? numerics::PartialFormat::f16 : numerics::PartialFormat::f32;
}

numerics::SumOrder Slots::sumOrder(numerics::Order published) const {
    switch (order) {
    case Order::published:
        return {published, 1};
    case Order::pairwise:
        return {numerics::Order::pairwise, 1};
    case Order::strided:
        return {numerics::Order::strided, 1};
    case Order::splitK:
    case Order::atomics: // the same chunks
        return {numerics::Order::splitK, splits};
    }
    return {published, 1};
}

bool Slots::plainSums() const {
    return operand == Operand::f32 && partials == numerics::PartialFormat::f32 &&
           accumulator == Accumulator::native && order != Order::atomics && splits >= 1;
}

} // namespace divdet::cuda
