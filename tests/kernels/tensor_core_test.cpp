#include "numerics/tensor_core.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "numerics/rounding.h"

using namespace divdet::numerics;

namespace {

float step(const std::vector<float>& a, const std::vector<float>& b, float c, const TcSpec& spec) {
    return tcStep(a.data(), 1, b.data(), 1, static_cast<int>(a.size()), c, spec);
}

TcSpec f16(Arch arch) {
    return tcSpec(arch, OperandFormat::f16);
}

} // namespace

TEST(TensorCore, SmallTermsSurviveByAlignmentWidth) {
    const std::vector<float> a(4, 0x1p-12f);
    const std::vector<float> b24(4, 0x1p-12f); // products 2^-24
    const std::vector<float> b25(4, 0x1p-13f); // products 2^-25
    EXPECT_EQ(step(a, b24, 1.0f, f16(Arch::sm70)), 1.0f);
    for (const Arch arch :
         {Arch::sm75, Arch::sm80, Arch::sm86, Arch::sm89, Arch::sm90, Arch::sm100, Arch::sm120}) {
        EXPECT_EQ(step(a, b24, 1.0f, f16(arch)), 1.0f + 2 * 0x1p-23f) << static_cast<int>(arch);
    }
    for (const Arch arch : {Arch::sm70, Arch::sm75, Arch::sm80, Arch::sm89}) {
        EXPECT_EQ(step(a, b25, 1.0f, f16(arch)), 1.0f) << static_cast<int>(arch);
    }
    for (const Arch arch : {Arch::sm90, Arch::sm100, Arch::sm120}) {
        EXPECT_EQ(step(a, b25, 1.0f, f16(arch)), 1.0f + 0x1p-23f) << static_cast<int>(arch);
    }
}

TEST(TensorCore, ProductsAreNotNormalised) {
    const TcSpec tf32 = tcSpec(Arch::sm80, OperandFormat::tf32);
    const std::vector<float> small{1.0f, 0x1p-23f, 0x1p-24f, 0x1p-24f};
    EXPECT_EQ(step({1.5f, 1.0f, 1.0f, 1.0f}, {1.5f, small[1], small[2], small[3]}, 0.0f, tf32),
              2.25f + 0x1p-22f);
    EXPECT_EQ(step({2.25f, 1.0f, 1.0f, 1.0f}, {1.0f, small[1], small[2], small[3]}, 0.0f, tf32), 2.25f);
}

TEST(TensorCore, PublishedBf16Case) {
    std::vector<float> a(8, roundToBf16(1e-7f));
    a[0] = 1.0f;
    const std::vector<float> b(8, 1.0f);
    EXPECT_EQ(bitsOf(step(a, b, 0.0f, tcSpec(Arch::sm80, OperandFormat::bf16))), 0x3F800003u);
}

TEST(TensorCore, TruncatesTowardZeroOnBothSides) {
    const TcSpec spec = f16(Arch::sm80);
    const float tiny = 0x1.8p-12f;
    EXPECT_EQ(step({tiny}, {0x1p-13f}, 1.0f, spec), 1.0f);
    EXPECT_EQ(step({-tiny}, {0x1p-13f}, -1.0f, spec), -1.0f);
    EXPECT_EQ(step({-0x1p-12f}, {0x1p-12f}, 1.0f, spec), 1.0f - 0x1p-24f);
}

TEST(TensorCore, Specials) {
    const TcSpec spec = f16(Arch::sm80);
    const float inf = INFINITY;
    EXPECT_EQ(bitsOf(step({inf}, {0.0f}, 0.0f, spec)), 0x7FFFFFFFu);
    EXPECT_EQ(bitsOf(step({NAN}, {1.0f}, 0.0f, spec)), 0x7FFFFFFFu);
    EXPECT_EQ(bitsOf(step({1.0f}, {1.0f}, -NAN, spec)), 0x7FFFFFFFu);
    EXPECT_EQ(bitsOf(step({inf, 1.0f}, {1.0f, -inf}, 0.0f, spec)), 0x7FFFFFFFu);
    EXPECT_EQ(bitsOf(step({inf}, {1.0f}, -inf, spec)), 0x7FFFFFFFu);
    EXPECT_EQ(step({inf, 1.0f}, {-2.0f, 3.0f}, 5.0f, spec), -inf);
    EXPECT_EQ(step({1.0f}, {1.0f}, inf, spec), inf);
    EXPECT_EQ(bitsOf(step({NAN}, {1.0f}, 0.0f, tcSpec(Arch::sm80, OperandFormat::f16, true))), 0x7FFFE000u);
}

TEST(TensorCore, ZerosAreDroppedAndGivePlusZero) {
    const TcSpec spec = f16(Arch::sm80);
    EXPECT_EQ(bitsOf(step({-0.0f, 0.0f}, {1.0f, -2.0f}, -0.0f, spec)), 0u);
    EXPECT_EQ(bitsOf(step({1.0f, -1.0f}, {3.0f, 3.0f}, 0.0f, spec)), 0u);
    EXPECT_EQ(step({0.0f}, {60000.0f}, 0x1p-40f, spec), 0x1p-40f);
}

TEST(TensorCore, SubnormalsAreKept) {
    const TcSpec spec = f16(Arch::sm80);
    EXPECT_EQ(step({0x1p-24f}, {0x1p-24f}, 0.0f, spec), 0x1p-48f);
    const TcSpec bf16 = tcSpec(Arch::sm80, OperandFormat::bf16);
    EXPECT_EQ(step({0x1p-126f}, {0x1p-10f}, 0.0f, bf16), 0x1p-136f);
    EXPECT_EQ(step({1.0f}, {0x1p-133f}, 0.0f, bf16), 0x1p-133f);
}

TEST(TensorCore, F16OutputRoundsToEvenAndOverflows) {
    const TcSpec spec = tcSpec(Arch::sm80, OperandFormat::f16, true);
    EXPECT_EQ(step({0x1p-11f}, {1.0f}, 1.0f, spec), 1.0f);
    EXPECT_EQ(step({0x1.8p-11f}, {1.0f}, 1.0f, spec), 1.0f + 0x1p-10f);
    EXPECT_EQ(step({256.0f}, {256.0f}, 0.0f, spec), INFINITY);
    EXPECT_EQ(step({15.0f}, {1.0f}, 65504.0f, spec), 65504.0f);
    EXPECT_EQ(step({16.0f}, {1.0f}, 65504.0f, spec), INFINITY);
}

TEST(TensorCore, Tf32OperandsLoseTheirLowBitsFirst) {
    const TcSpec spec = tcSpec(Arch::sm90, OperandFormat::tf32);
    const float dirty = floatFromBits(0x3F801FFFu);
    EXPECT_EQ(step({dirty}, {1.0f}, 0.0f, spec), 1.0f);
    EXPECT_EQ(step({floatFromBits(0x7F800001u)}, {1.0f}, 0.0f, spec), INFINITY);
}

TEST(TensorCore, Fp8KeepsThirteenBitsOnAda) {
    const TcSpec ada = tcSpec(Arch::sm89, OperandFormat::f8e4m3);
    EXPECT_EQ(ada.n, 16);
    EXPECT_EQ(step({1.0f}, {1.0f}, 0x1p-13f, ada), 1.0f + 0x1p-13f);
    EXPECT_EQ(step({1.0f}, {1.0f}, 0x1p-14f, ada), 1.0f);
    EXPECT_EQ(step({2.0f}, {1.0f}, 1.0f + 0x1p-13f, ada), 3.0f);
}

TEST(TensorCore, Fp8FollowsTheInstruction) {
    const auto spec = [](Arch arch, TcInstruction i) {
        return tcSpec(arch, OperandFormat::f8e5m2, false, i);
    };
    EXPECT_EQ(spec(Arch::sm90, TcInstruction::mmaSync).operand, OperandFormat::f16);
    EXPECT_EQ(spec(Arch::sm90, TcInstruction::mmaSync).alignBits, 25);
    EXPECT_EQ(spec(Arch::sm90, TcInstruction::asynchronous).alignBits, 13);
    EXPECT_EQ(spec(Arch::sm100, TcInstruction::asynchronous).n, 32);
    EXPECT_FALSE(spec(Arch::sm80, TcInstruction::mmaSync).exists());
    EXPECT_FALSE(tcSpec(Arch::sm75, OperandFormat::bf16).exists());
    EXPECT_FALSE(tcSpec(Arch::sm90, OperandFormat::bf16, true).exists());
}

TEST(TensorCore, GroupsMatterAndSplitsStayAligned) {
    // 1 in group 0, 2^-24 sixteen times: one step of 16 keeps them together (sm_90), steps of 8 truncate c
    // between.
    std::vector<float> a(17, 0x1p-12f);
    a[0] = 1.0f;
    std::vector<float> b(17, 0x1p-12f);
    b[0] = 1.0f;
    EXPECT_EQ(tcDot(a.data(), 1, b.data(), 1, 16, 0.0f, f16(Arch::sm80)), 1.0f + 7 * 0x1p-23f);
    EXPECT_EQ(chunkLength(40, 3, 16), 16u);
    EXPECT_EQ(chunkLength(512, 8, 16), 64u);
    const TcSpec spec = f16(Arch::sm80);
    const float one = tcDot(a.data(), 1, b.data(), 1, 16, 0.0f, spec);
    const float rest = tcDot(a.data() + 16, 1, b.data() + 16, 1, 1, 0.0f, spec);
    EXPECT_EQ(tcDotSplit(a.data(), 1, b.data(), 1, 17, 2, 0.0f, spec), one + rest);
}
