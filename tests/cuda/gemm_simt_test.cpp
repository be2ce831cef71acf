#include "cuda/kernel_fixture.h"

/// Products on the ordinary cores and the combination of chunks: the bits of kernels/host in every order.
namespace divdet {
namespace {

using host::GemmShape;
using numerics::PartialFormat;

struct Case {
    GemmShape s;
    std::vector<float> a, b, start;
    bool perColumn;

    host::Start hostStart() const {
        if (start.empty()) return {};
        return perColumn ? host::Start::bias(start.data()) : host::Start(start.data());
    }
};

/// Every shape once, with no start, one per column and one per output in turn, and some special values.
std::vector<Case> cases() {
    Values values(5);
    std::vector<Case> all;
    for (const GemmShape s : kernelShapes()) {
        Case c{s, values.normal(s.m * s.k), values.normal(s.k * s.n), {}, all.size() % 3 == 1};
        if (all.size() % 3) c.start = values.normal(c.perColumn ? s.n : s.m * s.n);
        if (all.size() % 4 == 3) values.spoil(c.a, 3);
        if (all.size() % 5 == 4) values.spoil(c.b, 3);
        all.push_back(std::move(c));
    }
    return all;
}

/// launch(shape, operands, start, c) for every case, against expected(case, c).
template <class Launch, class Expected>
void expectTwinBits(const Launch& launch, const Expected& expected) {
    std::size_t compared = 0;
    for (const Case& x : cases()) {
        SCOPED_TRACE(text(x.s));
        std::vector<float> wanted(x.s.m * x.s.n);
        expected(x, wanted.data());
        DeviceArray<float> a(x.a), b(x.b), start(x.start);
        forEachOrder([&] {
            DeviceArray<float> c(wanted.size());
            launch(cuda::GemmShape{x.s.m, x.s.n, x.s.k}, cuda::Operands{a.data(), b.data(), x.s.k, x.s.n},
                   cuda::StartValues{x.start.empty() ? nullptr : start.data(), x.perColumn}, c.data());
            expectSame(c.values(), wanted);
        });
        ++compared;
    }
    EXPECT_GE(compared, kLeastShapes);
}

TEST(CudaGemm, SequentialChains) {
    expectTwinBits(
        [](cuda::GemmShape s, cuda::Operands in, cuda::StartValues start, float* c) {
            cuda::gemmChains(nullptr, s, in, start, PartialFormat::f32, s.k, 1, c);
        },
        [](const Case& x, float* c) {
            host::gemmF32(x.s, x.a.data(), x.b.data(), x.hostStart(), c, {numerics::Order::sequential, 1});
        });
}

TEST(CudaGemm, PairwiseTree) {
    expectTwinBits(
        [](cuda::GemmShape s, cuda::Operands in, cuda::StartValues start, float* c) {
            cuda::gemmPairwise(nullptr, s, in, start, c);
        },
        [](const Case& x, float* c) {
            host::gemmF32(x.s, x.a.data(), x.b.data(), x.hostStart(), c, {numerics::Order::pairwise, 1});
        });
}

TEST(CudaGemm, StridedTree) {
    expectTwinBits(
        [](cuda::GemmShape s, cuda::Operands in, cuda::StartValues start, float* c) {
            cuda::gemmStrided(nullptr, s, in, start, c);
        },
        [](const Case& x, float* c) {
            host::gemmF32(x.s, x.a.data(), x.b.data(), x.hostStart(), c, {numerics::Order::strided, 1});
        });
}

TEST(CudaGemm, RunningSumsRoundedToNarrowFormats) {
    const auto expectFor = [](PartialFormat format, host::AccFormat narrow) {
        expectTwinBits([&](cuda::GemmShape s, cuda::Operands in, cuda::StartValues start,
                           float* c) { cuda::gemmChains(nullptr, s, in, start, format, s.k, 1, c); },
                       [&](const Case& x, float* c) {
                           host::gemmRoundedAccumulator(x.s, x.a.data(), x.b.data(), x.hostStart(), c,
                                                        narrow);
                       });
    };
    expectFor(PartialFormat::bf16, host::AccFormat::bf16);
    expectFor(PartialFormat::f16, host::AccFormat::f16);
}

/// What pads a tile must not be added: a sum of negative zeros is one.
TEST(CudaGemm, SumsOfNegativeZeros) {
    for (const std::size_t k : {1u, 3u, 16u, 17u}) {
        const std::vector<float> a(k, -0.0f), b(k, 1.0f), start{-0.0f};
        DeviceArray<float> x(a), y(b), from(start), c(1);
        cuda::gemmChains(nullptr, {1, 1, k}, {x.data(), y.data(), k, 1}, {from.data(), true},
                         PartialFormat::f32, k, 1, c.data());
        expectSame(c.values(), {-0.0f});
        cuda::gemmPairwise(nullptr, {1, 1, k}, {x.data(), y.data(), k, 1}, {from.data(), true}, c.data());
        expectSame(c.values(), {-0.0f});
    }
}

/// By the scalar rule of numerics/partials.h, with the order of arrival of each tile or without.
void byTheRule(const Case& x, std::size_t splits, PartialFormat format, const std::uint64_t* seed, float* c) {
    const std::size_t count = numerics::chunkCount(x.s.k, numerics::chunkLength(x.s.k, splits));
    std::vector<std::uint32_t> order(count);
    for (std::size_t i = 0; i < x.s.m; ++i)
        for (std::size_t j = 0; j < x.s.n; ++j) {
            if (seed)
                numerics::arrivalOrder(*seed, static_cast<std::uint32_t>(i / 16),
                                       static_cast<std::uint32_t>(j / 16), order.data(), count);
            const numerics::DotTerms terms{x.a.data() + i * x.s.k, x.b.data() + j, 1, x.s.n};
            const float start = x.start.empty() ? 0.0f : x.start[x.perColumn ? j : i * x.s.n + j];
            c[i * x.s.n + j] =
                numerics::combinedChunks(terms, x.s.k, splits, start, format, seed ? order.data() : nullptr);
        }
}

TEST(CudaGemm, SplitKWithPartialsOfEveryFormat) {
    for (const PartialFormat format : {PartialFormat::f32, PartialFormat::bf16, PartialFormat::f16})
        for (const std::size_t splits : {2u, 5u})
            expectTwinBits(
                [&](cuda::GemmShape s, cuda::Operands in, cuda::StartValues start, float* c) {
                    const std::size_t length = numerics::chunkLength(s.k, splits);
                    const std::size_t count = std::max<std::size_t>(1, numerics::chunkCount(s.k, length));
                    DeviceArray<float> partials(count * s.m * s.n);
                    cuda::gemmChains(nullptr, s, in, start, PartialFormat::f32, length, count,
                                     partials.data());
                    cuda::combineInOrder(nullptr, partials.data(), count, s.m * s.n, format, c);
                },
                [&](const Case& x, float* c) {
                    if (format == PartialFormat::f32)
                        host::gemmF32(x.s, x.a.data(), x.b.data(), x.hostStart(), c,
                                      {numerics::Order::splitK, splits});
                    else
                        byTheRule(x, splits, format, nullptr, c);
                });
}

TEST(CudaGemm, ChunksInTheOrderOfTheirArrival) {
    const std::uint64_t seed = 0x123456789ABCDEFull;
    const std::size_t splits = 6;
    for (const PartialFormat format : {PartialFormat::f32, PartialFormat::bf16})
        expectTwinBits(
            [&](cuda::GemmShape s, cuda::Operands in, cuda::StartValues start, float* c) {
                const std::size_t length = numerics::chunkLength(s.k, splits);
                const std::size_t count = numerics::chunkCount(s.k, length);
                const cuda::TileGrid tiles{(s.m + 15) / 16, (s.n + 15) / 16, 0, 0};
                DeviceArray<float> partials(count * s.m * s.n);
                DeviceArray<std::uint32_t> order(count * tiles.rows * tiles.columns);
                cuda::gemmChains(nullptr, s, in, {}, PartialFormat::f32, length, count, partials.data());
                cuda::drawArrivals(nullptr, tiles, seed, count, order.data());
                cuda::combineAsTheyArrived(nullptr, s, partials.data(), count, tiles, order.data(), start,
                                           format, c);
            },
            [&](const Case& x, float* c) { byTheRule(x, splits, format, &seed, c); });
}

} // namespace
} // namespace divdet
