#include "run/check_device.h"

#include <bit>
#include <set>

#include <gtest/gtest.h>

#include "core/run/fake_backend.h"
#include "host/twin_backend.h"
#include "run/golden/golden_cases.h"

namespace divdet::run {
namespace {

/// A twin that spoils what it is told to.
class Spoiled : public host::TwinBackend {
public:
    std::function<void(lower::LoweredOp&)> change;        ///< before the op runs
    std::function<bool(const lower::LoweredOp&)> lastBit; ///< of the first number of the result
    bool otherSeed = false, fails = false;

    Result<Tensor> runOp(const DeviceId& device, const lower::LoweredOp& op, std::span<const Tensor> inputs,
                         const Progress& progress) override {
        if (fails) return Error{ErrorCode::unsupported, "the device is asleep", "", ""};
        lower::LoweredOp other = op;
        if (change) change(other);
        auto out = TwinBackend::runOp(device, other, inputs, progress);
        if (!out || !lastBit || !lastBit(op)) return out;
        std::vector<float> x(out->as<float>().begin(), out->as<float>().end());
        x[0] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x[0]) + 1);
        return tensorOf<float>(DType::f32, out->shape(), x);
    }
    void fillNormal(std::uint64_t seed, std::uint32_t stream, std::span<float> out) override {
        TwinBackend::fillNormal(seed + (otherSeed ? 1 : 0), stream, out);
    }
};

std::set<std::string> differing(Backend& backend, const DeviceInfo& device) {
    std::set<std::string> names;
    const auto checks = checkDevice(backend, device);
    EXPECT_TRUE(checks.ok());
    for (const ArithmeticCheck& c : *checks)
        if (c.agreement == Agreement::differ) {
            names.insert(c.arithmetic);
            EXPECT_FALSE(c.detail.empty());
        }
    return names;
}

DeviceInfo first(Backend& backend) {
    return backend.devices().front();
}

TEST(CheckDevice, EveryTwinAgreesOnEveryArithmetic) {
    host::TwinBackend twin;
    for (const DeviceInfo& device : twin.devices()) {
        const auto checks = checkDevice(twin, device);
        ASSERT_TRUE(checks.ok());
        EXPECT_EQ(checks->size(), golden::arithmetics().size());
        for (const ArithmeticCheck& c : *checks)
            EXPECT_EQ(c.agreement, Agreement::agree) << device.id << " " << c.arithmetic << ": " << c.detail;
    }
}

TEST(CheckDevice, OneWrongBitIsCaughtInEveryArithmetic) {
    Spoiled backend;
    for (const golden::Case& c : golden::cases()) {
        if (c.slots == "fill-normal") continue;
        backend.lastBit = [&](const lower::LoweredOp& op) { return op.name == c.arithmetic; };
        EXPECT_EQ(differing(backend, first(backend)), std::set<std::string>{std::string(c.arithmetic)});
    }
    backend.lastBit = {};
    backend.otherSeed = true;
    EXPECT_EQ(differing(backend, first(backend)), std::set<std::string>{"philox"});
}

TEST(CheckDevice, AnotherArithmeticUnderTheSameNameIsCaught) {
    Spoiled backend;
    backend.change = [](lower::LoweredOp& op) {
        if (op.slots.order == lower::SumOrder::pairwise) op.slots.order = lower::SumOrder::published;
        if (op.slots.operand == lower::Operand::tf32) op.slots.tf32Mode = lower::Tf32Mode::towardZero;
        op.slots.maths = lower::Maths::fast;
    };
    const auto names = differing(backend, first(backend));
    for (const char* name : {"fp32-pairwise", "tf32", "exp", "tanh", "erf", "softmax"})
        EXPECT_TRUE(names.count(name)) << name;
    EXPECT_FALSE(names.count("fp32-sequential"));
    EXPECT_FALSE(names.count("int8"));
}

/// Each architecture is held to its own tensor core: the golden bits tell Ampere from Hopper and Ada.
TEST(CheckDevice, AnArchitectureCannotPassForAnother) {
    host::TwinBackend twin;
    DeviceInfo ampere = first(twin);
    ASSERT_EQ(ampere.architecture, "sm_80");
    ampere.architecture = "sm_90";
    EXPECT_EQ(differing(twin, ampere),
              (std::set<std::string>{"tf32", "fp16", "bf16", "fp16-accumulator", "fp8"}));
    ampere.architecture = "sm_89"; // differs from sm_80 in fp8 alone
    EXPECT_EQ(differing(twin, ampere), std::set<std::string>{"fp8"});
}

TEST(CheckDevice, WhatNoOneKnowsIsAbsentAndAFailureIsNot) {
    host::TwinBackend twin;
    DeviceInfo unknown = first(twin);
    unknown.architecture = "sm_999";
    int absent = 0;
    const auto checks = checkDevice(twin, unknown);
    ASSERT_TRUE(checks.ok());
    for (const ArithmeticCheck& c : *checks) absent += c.agreement == Agreement::absent;
    EXPECT_EQ(absent, 5); // the tensor core's
    Spoiled backend;
    backend.fails = true;
    const auto names = differing(backend, first(backend));
    EXPECT_EQ(names.size(), golden::arithmetics().size() - 1); // random numbers need no op
}

TEST(CheckDevice, GarbageIsNoOtherWayToAddUp) {
    Spoiled backend;
    DeviceInfo bounded = first(backend);
    bounded.promise = Promise::bounded;
    backend.lastBit = [](const lower::LoweredOp& op) { return op.name == "tf32"; };
    EXPECT_TRUE(differing(backend, bounded).empty()); // a last bit is its own affair
    backend.lastBit = {};
    backend.change = [](lower::LoweredOp& op) {
        if (op.slots.operand == lower::Operand::bf16) op.slots.tailTile = 64;
    };
    EXPECT_EQ(differing(backend, bounded), std::set<std::string>{"bf16"});
}

TEST(CheckDevice, StopsWhenCancelled) {
    host::TwinBackend twin;
    Progress progress;
    progress.token.cancel();
    EXPECT_EQ(checkDevice(twin, first(twin), progress).error().code, ErrorCode::cancelled);
}

} // namespace
} // namespace divdet::run
