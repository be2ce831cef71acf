#include "cuda/kernel_fixture.h"
#include "numerics/narrow_operands.h"

/// Products on the tensor cores: the twin's bits on every architecture that has the instruction.
namespace divdet {
namespace {

using cuda::MmaKind;
using host::GemmShape;
using numerics::Arch;
using numerics::OperandFormat;

struct Kind {
    MmaKind kind;
    OperandFormat format;
    bool f16Accumulator;
    std::vector<Arch> architectures;
};

float rounded(float x, OperandFormat format) {
    switch (format) {
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

/// Both operands as the tensor core reads them, k along the rows.
struct PackedOperands {
    std::size_t perRow;
    DeviceArray<std::uint32_t> a, b;

    PackedOperands(MmaKind kind, GemmShape s, DeviceArray<float>& x, DeviceArray<float>& y)
        : perRow((s.k + 4 * cuda::elementsPerWord(kind) - 1) / (4 * cuda::elementsPerWord(kind)) * 4)
        , a(s.m * perRow)
        , b(s.n * perRow) {
        cuda::packOperand(nullptr, kind, x.data(), s.m, s.k, s.k, 1, perRow, a.data());
        cuda::packOperand(nullptr, kind, y.data(), s.n, s.k, 1, s.n, perRow, b.data());
    }
};

void expectTwinBits(const Kind& kind) {
    Values values(9);
    std::size_t at = 0;
    for (const GemmShape s : kernelShapes()) {
        const Arch arch = kind.architectures[at % kind.architectures.size()];
        SCOPED_TRACE(text(s) + " on sm_" + std::to_string(static_cast<int>(arch)));
        useDevice(arch);
        const numerics::TcSpec spec = numerics::tcSpec(arch, kind.format, kind.f16Accumulator);
        auto a = values.normal(s.m * s.k), b = values.normal(s.k * s.n), start = values.normal(s.n);
        if (at % 4 == 3) values.spoil(a, 2);
        for (auto* v : {&a, &b})
            for (float& x : *v) x = rounded(x, kind.format);
        if (kind.f16Accumulator)
            for (float& x : start) x = numerics::roundToF16(x);
        std::vector<float> wanted(s.m * s.n);
        host::gemmTensorCore(s, a.data(), b.data(), host::Start::bias(start.data()), wanted.data(), spec);
        DeviceArray<float> x(a), y(b), from(start);
        forEachOrder([&] {
            DeviceArray<float> c(s.m * s.n);
            PackedOperands in(kind.kind, s, x, y);
            cuda::gemmMma(nullptr, kind.kind, s.m, s.n, {in.a.data(), in.perRow}, {in.b.data(), in.perRow},
                          in.perRow, in.perRow ? in.perRow : 4, 1, {from.data(), true}, c.data());
            const auto got = c.values();
            for (std::size_t i = 0; i < got.size(); ++i) // NaNs too have their bits fixed
                ASSERT_EQ(numerics::bitsOf(got[i]), numerics::bitsOf(wanted[i])) << i;
        });
        ++at;
    }
    EXPECT_GE(at, kLeastShapes);
}

const std::vector<Arch> kSince80 = {Arch::sm80, Arch::sm89, Arch::sm90, Arch::sm100};

TEST(CudaMma, F16) {
    expectTwinBits({MmaKind::f16,
                    OperandFormat::f16,
                    false,
                    {Arch::sm75, Arch::sm80, Arch::sm89, Arch::sm90, Arch::sm100}});
}
TEST(CudaMma, F16InAnF16Accumulator) {
    expectTwinBits({MmaKind::f16InF16, OperandFormat::f16, true, {Arch::sm75, Arch::sm80, Arch::sm90}});
}
TEST(CudaMma, Bf16) {
    expectTwinBits({MmaKind::bf16, OperandFormat::bf16, false, kSince80});
}
TEST(CudaMma, Tf32) {
    expectTwinBits({MmaKind::tf32, OperandFormat::tf32, false, kSince80});
}
TEST(CudaMma, F8OfItsOwnInstruction) {
    expectTwinBits({MmaKind::f8e4m3, OperandFormat::f8e4m3, false, {Arch::sm89}});
    expectTwinBits({MmaKind::f8e5m2, OperandFormat::f8e5m2, false, {Arch::sm89}});
}

TEST(CudaMma, ChunksOfKAreTheTwinsSplits) {
    Values values(3);
    for (const Arch arch : {Arch::sm75, Arch::sm80, Arch::sm90}) {
        useDevice(arch);
        const auto spec = numerics::tcSpec(arch, OperandFormat::f16);
        for (const GemmShape s : {GemmShape{3, 5, 1}, {17, 9, 61}, {65, 33, 128}, {2, 131, 203}}) {
            auto a = values.normal(s.m * s.k), b = values.normal(s.k * s.n);
            for (auto* v : {&a, &b})
                for (float& x : *v) x = numerics::roundToF16(x);
            for (const std::size_t splits : {2u, 3u, 7u}) {
                std::vector<float> wanted(s.m * s.n);
                host::gemmTensorCore(s, a.data(), b.data(), {}, wanted.data(), spec, splits);
                const std::size_t length =
                    numerics::chunkLength(s.k, splits, static_cast<std::size_t>(spec.instructionK));
                const std::size_t count = numerics::chunkCount(s.k, length);
                DeviceArray<float> x(a), y(b);
                forEachOrder([&] {
                    DeviceArray<float> partials(count * s.m * s.n), c(s.m * s.n);
                    PackedOperands in(MmaKind::f16, s, x, y);
                    cuda::gemmMma(nullptr, MmaKind::f16, s.m, s.n, {in.a.data(), in.perRow},
                                  {in.b.data(), in.perRow}, in.perRow, length / 2, count, {},
                                  partials.data());
                    cuda::combineInOrder(nullptr, partials.data(), count, s.m * s.n,
                                         numerics::PartialFormat::f32, c.data());
                    expectSame(c.values(), wanted);
                });
            }
        }
    }
}

TEST(CudaMma, Int8IsExactAndWraps) {
    Values values(4);
    useDevice(Arch::sm80);
    for (const GemmShape s : kernelShapes()) {
        const auto a = values.bytes(s.m * s.k), b = values.bytes(s.k * s.n);
        std::vector<std::int32_t> exact(s.m * s.n);
        host::gemmInt8(s, a.data(), b.data(), exact.data());
        std::vector<float> wanted(exact.begin(), exact.end());
        DeviceArray<float> x(std::vector<float>(a.begin(), a.end())),
            y(std::vector<float>(b.begin(), b.end()));
        forEachOrder([&] {
            DeviceArray<float> c(s.m * s.n);
            PackedOperands in(MmaKind::int8, s, x, y);
            cuda::gemmMma(nullptr, MmaKind::int8, s.m, s.n, {in.a.data(), in.perRow},
                          {in.b.data(), in.perRow}, in.perRow, in.perRow ? in.perRow : 4, 1, {}, c.data());
            expectSame(c.values(), wanted);
        });
    }
}

TEST(CudaMma, AnArchitectureOfItsOwnShowsInTheBits) {
    Values values(11);
    const GemmShape s{16, 8, 64};
    auto a = values.normal(s.m * s.k), b = values.normal(s.k * s.n);
    for (auto* v : {&a, &b})
        for (float& x : *v) x = numerics::roundToF16(x);
    DeviceArray<float> x(a), y(b);
    const auto on = [&](Arch arch) {
        useDevice(arch);
        DeviceArray<float> c(s.m * s.n);
        PackedOperands in(MmaKind::f16, s, x, y);
        cuda::gemmMma(nullptr, MmaKind::f16, s.m, s.n, {in.a.data(), in.perRow}, {in.b.data(), in.perRow},
                      in.perRow, in.perRow, 1, {}, c.data());
        return c.values();
    };
    EXPECT_NE(on(Arch::sm80), on(Arch::sm90));
    EXPECT_EQ(on(Arch::sm80), on(Arch::sm89));
}

} // namespace
} // namespace divdet
