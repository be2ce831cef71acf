#include "lower/slots.h"

#include <gtest/gtest.h>

namespace divdet::lower {
namespace {

/// One value, and where it has fields of its own several, for every slot.
std::vector<std::pair<Slot, Slots>> examples() {
    std::vector<std::pair<Slot, Slots>> all;
    const auto add = [&](Slot slot, auto set) {
        Slots s;
        set(s);
        all.emplace_back(slot, s);
    };
    for (const Operand o :
         {Operand::tf32, Operand::bf16, Operand::fp16, Operand::int4, Operand::fp8, Operand::int8})
        add(Slot::operand, [&](Slots& s) { s.operand = o; });
    add(Slot::operand, [](Slots& s) { s.operand = Operand::tf32, s.tf32Mode = Tf32Mode::towardZero; });
    add(Slot::operand, [](Slots& s) { s.operand = Operand::int4, s.group = 32; });
    add(Slot::operand, [](Slots& s) { s.operand = Operand::fp8, s.fp8Format = Fp8Format::e5m2; });
    add(Slot::operand, [](Slots& s) { s.operand = Operand::int8, s.granularity = Granularity::perTensor; });
    for (const Accumulator a : {Accumulator::bf16, Accumulator::fp16, Accumulator::instructionFp16})
        add(Slot::accumulator, [&](Slots& s) { s.accumulator = a; });
    for (const SumOrder o : {SumOrder::pairwise, SumOrder::strided, SumOrder::splitK, SumOrder::atomics})
        add(Slot::order, [&](Slots& s) { s.order = o; });
    add(Slot::order, [](Slots& s) { s.order = SumOrder::splitK, s.splits = 8; });
    add(Slot::order, [](Slots& s) { s.order = SumOrder::atomics, s.splits = 8; });
    add(Slot::order, [](Slots& s) { s.order = SumOrder::atomics, s.splits = 8, s.orderSeed = 1; });
    for (const DType d : {DType::bf16, DType::f16}) {
        add(Slot::partials, [&](Slots& s) { s.partials = d; });
        add(Slot::storage, [&](Slots& s) { s.storage = d; });
    }
    add(Slot::maths, [](Slots& s) { s.maths = Maths::fast; });
    add(Slot::fusion, [](Slots& s) { s.fused = true; });
    for (const Formula f : {Formula::geluTanh, Formula::onePassVariance, Formula::maskedRowNan})
        add(Slot::formula, [&](Slots& s) { s.formula = f; });
    add(Slot::subnormals, [](Slots& s) { s.subnormals = Subnormals::flushed; });
    for (const Scales x : {Scales::clippedWeight, Scales::clippedActivation, Scales::neighbour})
        for (const int channel : {0, 3})
            add(Slot::scales, [&](Slots& s) { s.scales = x, s.scaleChannel = channel; });
    add(Slot::scales, [](Slots& s) { s.scales = Scales::clippedWeight, s.clip = 0.1f; });
    for (const int tile : {16, 64}) add(Slot::tail, [&](Slots& s) { s.tailTile = tile; });
    for (const std::uint64_t seed : {0, 7})
        add(Slot::barrier, [&](Slots& s) { s.missingBarrier = true, s.barrierSeed = seed; });
    for (const Raise e : {Raise::unsupported, Raise::assertion})
        add(Slot::raise, [&](Slots& s) { s.raise = e; });
    return all;
}

TEST(Slots, EqualTextMeansEqualSlots) {
    auto all = examples();
    all.emplace_back(Slot::operand, Slots{});
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < all.size(); ++j)
            EXPECT_EQ(toString(all[i].second) == toString(all[j].second), i == j)
                << toString(all[i].second) << " and " << toString(all[j].second);
}

TEST(Slots, EachSlotIsResetWithItsFieldsAndNoOther) {
    for (const auto& [slot, value] : examples())
        for (std::size_t i = 0; i < kSlotCount; ++i) {
            Slots s = value;
            reset(s, static_cast<Slot>(i));
            EXPECT_EQ(s, static_cast<Slot>(i) == slot ? Slots{} : value) << toString(value);
        }
}

TEST(Slots, TextNamesTheSlotFirst) {
    for (const auto& [slot, value] : examples())
        EXPECT_EQ(toString(value).find(std::string(name(slot)) + "="), 0u) << toString(value);
    Slots s;
    s.order = SumOrder::atomics;
    s.splits = 4;
    s.orderSeed = 9;
    s.partials = DType::bf16;
    EXPECT_EQ(toString(s), "order=atomics:4:seed:9 partials=bf16");
}

} // namespace
} // namespace divdet::lower
