#include "kernel_test_support.h"

using namespace divdet;
using host::GemmShape;
using host::Start;
using numerics::Arch;
using numerics::OperandFormat;
using numerics::TcInstruction;
using numerics::TcSpec;

namespace {

float narrowed(float x, OperandFormat f) {
    switch (f) {
    case OperandFormat::f16:
        return numerics::roundToF16(x);
    case OperandFormat::bf16:
        return numerics::roundToBf16(x);
    case OperandFormat::tf32:
        return numerics::roundToTf32(x, numerics::Tf32Rounding::nearestEven);
    case OperandFormat::f8e4m3:
        return numerics::roundToF8e4m3(x);
    case OperandFormat::f8e5m2:
        return numerics::roundToF8e5m2(x);
    }
    return x;
}

struct Case {
    TcSpec spec;
    OperandFormat format;
};

/// Every kind of step there is: widths, group sizes, outputs.
std::vector<Case> cases() {
    std::vector<Case> all;
    for (const Arch arch :
         {Arch::sm70, Arch::sm75, Arch::sm80, Arch::sm89, Arch::sm90, Arch::sm100, Arch::sm120}) {
        for (const OperandFormat f : {OperandFormat::f16, OperandFormat::bf16, OperandFormat::tf32,
                                      OperandFormat::f8e4m3, OperandFormat::f8e5m2}) {
            for (const TcInstruction i : {TcInstruction::mmaSync, TcInstruction::asynchronous}) {
                const TcSpec spec = tcSpec(arch, f, false, i);
                if (spec.exists()) all.push_back({spec, f});
            }
        }
        all.push_back({tcSpec(arch, OperandFormat::f16, true), OperandFormat::f16});
    }
    return all;
}

class GemmTensorCore : public AllTargets {
protected:
    static int mismatches(GemmShape s, const std::vector<float>& a, const std::vector<float>& b, Start start,
                          const TcSpec& spec, std::size_t splits) {
        std::vector<float> c(s.m * s.n, -1.0f);
        host::gemmTensorCore(s, a.data(), b.data(), start, c.data(), spec, splits);
        int count = 0;
        for (std::size_t i = 0; i < s.m; ++i) {
            for (std::size_t j = 0; j < s.n; ++j) {
                const float first = start.values ? start.values[start.perColumn ? j : i * s.n + j] : 0.0f;
                const float want =
                    numerics::tcDotSplit(a.data() + i * s.k, 1, b.data() + j, s.n, s.k, splits, first, spec);
                // Split partials are added by the processor, whose NaN differs from the tensor core's.
                const bool same = splits > 1 ? sameValue(c[i * s.n + j], want)
                                             : numerics::bitsOf(c[i * s.n + j]) == numerics::bitsOf(want);
                count += !same;
            }
        }
        return count;
    }

    void check(GemmShape s, std::vector<float> a, std::vector<float> b, std::vector<float> init,
               const Case& k) {
        for (float& x : a) x = narrowed(x, k.format);
        for (float& x : b) x = narrowed(x, k.format);
        if (k.spec.output == numerics::TcOutput::f16) {
            for (float& x : init) x = numerics::roundToF16(x);
        }
        SCOPED_TRACE(testing::Message()
                     << "n " << k.spec.n << " F " << k.spec.alignBits << " format "
                     << static_cast<int>(k.format) << " shape " << s.m << ' ' << s.n << ' ' << s.k);
        EXPECT_EQ(mismatches(s, a, b, nullptr, k.spec, 1), 0);
        EXPECT_EQ(mismatches(s, a, b, nullptr, k.spec, 3), 0);
        EXPECT_EQ(mismatches(s, a, b, init.data(), k.spec, 1), 0);
        EXPECT_EQ(mismatches(s, a, b, Start::bias(init.data()), k.spec, 2), 0);
    }
};

} // namespace

TEST_F(GemmTensorCore, EqualsTheScalarStep) {
    Values values(1);
    for (const GemmShape& s :
         {GemmShape{1, 1, 1}, {3, 67, 13}, {2, 33, 64}, {5, 16, 97}, {1, 130, 8}, {3, 9, 0}}) {
        const auto a = values.normal(s.m * s.k), b = values.normal(s.k * s.n),
                   init = values.normal(s.m * s.n);
        forEachTarget([&] {
            for (const Case& k : cases()) check(s, a, b, init, k);
        });
    }
}

/// Wide exponent ranges: alignment drops most terms, fp16 inputs become subnormal or overflow to infinity.
TEST_F(GemmTensorCore, WideRanges) {
    Values values(2);
    const GemmShape s{2, 65, 40};
    for (const float scale : {1e-4f, 1e-6f, 300.0f, 1e-20f, 1e18f}) {
        auto a = values.normal(s.m * s.k), b = values.normal(s.k * s.n, scale),
             init = values.normal(s.m * s.n);
        for (float& x : a) x *= std::ldexp(1.0f, static_cast<int>(values.below(24)) - 12);
        for (float& x : b) x *= std::ldexp(1.0f, static_cast<int>(values.below(24)) - 12);
        forEachTarget([&] {
            for (const Case& k : cases()) check(s, a, b, init, k);
        });
    }
}

TEST_F(GemmTensorCore, SpecialValues) {
    Values values(3);
    const GemmShape s{4, 66, 24};
    for (int round = 0; round < 3; ++round) {
        auto a = values.normal(s.m * s.k), b = values.normal(s.k * s.n), init = values.normal(s.m * s.n);
        values.spoil(a, round);
        values.spoil(b, 2);
        values.spoil(init, 4 * round);
        forEachTarget([&] {
            for (const Case& k : cases()) check(s, a, b, init, k);
        });
    }
}

/// Sixteen products near 4 on a 25-bit grid exceed int32; the vectorised sum must notice.
TEST_F(GemmTensorCore, LargeMantissas) {
    const GemmShape s{3, 40, 64};
    for (const float value : {1.99f, -1.99f}) {
        const std::vector<float> a(s.m * s.k, 1.99f), b(s.k * s.n, value), init(s.m * s.n, value);
        forEachTarget([&] {
            for (const Case& k : cases()) check(s, a, b, init, k);
        });
    }
}

/// An fp16 accumulator that overflows on the way stays infinite, or becomes NaN when the other infinity
/// joins.
TEST_F(GemmTensorCore, F16AccumulatorOverflowsInMidSum) {
    const GemmShape s{3, 40, 64};
    for (const float value : {100.0f, -100.0f}) {
        const std::vector<float> a(s.m * s.k, 100.0f);
        std::vector<float> b(s.k * s.n, value);
        for (std::size_t j = 0; j < s.n; j += 3) b[(s.k - 1) * s.n + j] = -60000.0f;
        for (std::size_t i = 0; i < b.size(); i += 7) b[i] = 0.0f;
        const std::vector<float> init(s.m * s.n, value);
        forEachTarget([&] {
            for (const Case& k : cases()) check(s, a, b, init, k);
        });
        std::vector<float> c(s.m * s.n);
        host::gemmTensorCore(s, a.data(), b.data(), nullptr, c.data(),
                             tcSpec(Arch::sm80, OperandFormat::f16, true));
        EXPECT_TRUE(numerics::isInf(c[1]));
    }
}

TEST_F(GemmTensorCore, CancellationToZero) {
    const GemmShape s{2, 20, 32};
    std::vector<float> a(s.m * s.k), b(s.k * s.n, 3.0f);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = i % 2 ? -1.5f : 1.5f;
    const std::vector<float> init(s.m * s.n, -0.0f);
    forEachTarget([&] {
        for (const Case& k : cases()) check(s, a, b, init, k);
    });
}

/// A subnormal fp16 accumulator keeps the exponent -14, which decides whether 2^-40 breaks the tie.
TEST_F(GemmTensorCore, SubnormalF16AccumulatorSetsTheGrid) {
    const GemmShape s{1, 1, 2};
    const std::vector<float> a{0x1p-12f, 0x1p-20f}, b{0x1p-13f, 0x1p-20f}, init{0x1p-23f};
    const TcSpec spec = tcSpec(Arch::sm80, OperandFormat::f16, true);
    EXPECT_EQ(numerics::tcDot(a.data(), 1, b.data(), 1, 2, init[0], spec), 0x1p-23f);
    forEachTarget([&] { check(s, a, b, init, {spec, OperandFormat::f16}); });
}

/// Beyond the range of the vectorised step: results become subnormal or infinite, or only the start is left.
TEST_F(GemmTensorCore, ExtremeRanges) {
    Values values(4);
    const GemmShape s{2, 18, 24};
    for (const int scale : {-70, -65, -50, -40, -31, 29, 45, 62, 64}) {
        auto a = values.normal(s.m * s.k), b = values.normal(s.k * s.n), init = values.normal(s.m * s.n);
        for (auto* x : {&a, &b}) {
            for (float& v : *x) v = std::ldexp(v, scale);
        }
        for (float& v : init) v = std::ldexp(v, 2 * scale + 3);
        const std::vector<float> zeros(s.m * s.k);
        auto odd = init;
        values.spoil(odd, 60);
        forEachTarget([&] {
            for (const Case& k : cases()) {
                check(s, a, b, init, k);
                check(s, zeros, b, odd, k);
            }
        });
    }
}
