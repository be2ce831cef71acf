#include "cuda/kernel_fixture.h"
#include "host/rows.h"
#include "numerics/norm.h"
#include "numerics/partials.h"
#include "numerics/variance.h"

/// Norms, softmax and sums along rows: the bits of kernels/host in every order of threads and additions.
namespace divdet {
namespace {

using numerics::Order;
using numerics::SumOrder;
using Floats = std::vector<float>;

struct Rows {
    std::size_t count, width;
    SumOrder order;
    bool fast;
    Floats x, gain, bias;
};

/// 56 shapes (24 under a sanitizer); orders and maths in turn; some rows with special values.
std::vector<Rows> cases() {
    const SumOrder orders[] = {
        {Order::strided, 1}, {Order::sequential, 1}, {Order::pairwise, 1}, {Order::splitK, 3}};
    Values values(31);
    std::vector<Rows> all;
    for (const std::size_t width :
         {1u, 2u, 3u, 7u, 31u, 64u, 101u, 255u, 256u, 257u, 509u, 512u, 769u, 1031u}) {
        // Left out are further widths of the same kinds: below a warp, a block and its neighbours, several
        // blocks.
        if (test::kSanitized && width != 1 && width != 31 && width != 64 && width != 256 && width != 257 &&
            width != 769)
            continue;
        for (const std::size_t count : {1u, 2u, 5u, 13u}) {
            Rows r{count,
                   width,
                   orders[all.size() % 4],
                   all.size() % 3 == 2,
                   values.normal(count * width, 3),
                   values.normal(width),
                   values.normal(width)};
            if (all.size() % 5 == 4) values.spoil(r.x, 2);
            all.push_back(std::move(r));
        }
    }
    return all;
}

template <class Launch, class Expected>
void expectTwinBits(const Launch& launch, const Expected& expected) {
    std::size_t compared = 0;
    for (const Rows& r : cases()) {
        SCOPED_TRACE(std::to_string(r.count) + " rows of " + std::to_string(r.width));
        Floats wanted(r.x.size());
        expected(r, wanted.data());
        DeviceArray<float> x(r.x), gain(r.gain), bias(r.bias);
        forEachOrder([&] {
            DeviceArray<float> y(wanted.size());
            launch(r, x.data(), gain.data(), bias.data(), y.data());
            expectSame(y.values(), wanted);
        });
        ++compared;
    }
    EXPECT_GE(compared, test::effort(50u, 24u));
}

TEST(CudaRows, RmsNorm) {
    expectTwinBits(
        [](const Rows& r, const float* x, const float* gain, const float*, float* y) {
            cuda::rmsNormRows(nullptr, x, gain, 1e-6f, r.count, r.width, r.order, r.fast, y);
        },
        [](const Rows& r, float* y) {
            host::rmsNorm(r.x.data(), r.gain.data(), 1e-6f, r.count, r.width, r.order, y, r.fast);
        });
}

TEST(CudaRows, LayerNorm) {
    expectTwinBits(
        [](const Rows& r, const float* x, const float* gain, const float* bias, float* y) {
            cuda::layerNormRows(nullptr, x, gain, r.count > 1 ? bias : nullptr, 1e-5f, r.count, r.width,
                                r.order, r.fast, false, y);
        },
        [](const Rows& r, float* y) {
            host::layerNorm(r.x.data(), r.gain.data(), r.count > 1 ? r.bias.data() : nullptr, 1e-5f, r.count,
                            r.width, r.order, y, r.fast);
        });
}

TEST(CudaRows, LayerNormOfOnePass) {
    expectTwinBits(
        [](const Rows& r, const float* x, const float* gain, const float* bias, float* y) {
            cuda::layerNormRows(nullptr, x, gain, bias, 1e-5f, r.count, r.width, r.order, r.fast, true, y);
        },
        [](const Rows& r, float* y) {
            for (std::size_t row = 0; row < r.count; ++row) {
                const float* const x = &r.x[row * r.width];
                const auto m = numerics::onePassMoments(x, r.width, r.order);
                const float v = m.variance + 1e-5f;
                const float scale = r.fast ? numerics::fastRsqrt(v) : numerics::rsqrtFloat(v);
                for (std::size_t i = 0; i < r.width; ++i)
                    y[row * r.width + i] = numerics::layerElement(x[i], m.mean, scale, r.gain[i], r.bias[i]);
            }
        });
}

TEST(CudaRows, Softmax) {
    expectTwinBits(
        [](const Rows& r, const float* x, const float*, const float*, float* y) {
            cuda::softmaxRows(nullptr, x, r.count, r.width, r.order, r.fast, y);
        },
        [](const Rows& r, float* y) { host::softmax(r.x.data(), r.count, r.width, r.order, y, r.fast); });
}

TEST(CudaRows, SoftmaxOfMaskedRows) {
    const float inf = INFINITY;
    const Floats x{-inf, -inf, 88, -inf, NAN, 0, inf, 0, -inf, NAN};
    Floats wanted(x.size());
    host::softmax(x.data(), 5, 2, {Order::strided, 1}, wanted.data());
    DeviceArray<float> from(x), y(x.size());
    cuda::softmaxRows(nullptr, from.data(), 5, 2, {Order::strided, 1}, false, y.data());
    expectSame(y.values(), wanted);
}

/// sums of rows by every rule against `rule(terms, kept, row)`.
template <class Scalar>
void expectSums(cuda::SumRule rule, const Scalar& scalar) {
    for (const Rows& r : cases())
        for (const std::size_t kept : {r.width, r.width - r.width % 4}) {
            Floats wanted(r.count);
            for (std::size_t row = 0; row < r.count; ++row)
                wanted[row] = scalar(numerics::SumTerms{&r.x[row * r.width]}, kept, row);
            DeviceArray<float> x(r.x);
            const std::size_t scratch = cuda::sumRowBlocks(r.count) * (rule.inChunks ? rule.order.splits : 0);
            forEachOrder([&] {
                DeviceArray<float> partials(scratch), y(r.count);
                DeviceArray<std::uint32_t> arrivals(scratch);
                cuda::sumRows(nullptr, x.data(), r.count, r.width, kept, rule, partials.data(),
                              arrivals.data(), y.data());
                expectSame(y.values(), wanted);
            });
        }
}

TEST(CudaRows, SumsInEveryPublishedOrder) {
    for (const SumOrder order : {SumOrder{Order::sequential, 1}, {Order::pairwise, 1}, {Order::strided, 1}})
        expectSums({order}, [&](const numerics::SumTerms& t, std::size_t n, std::size_t) {
            return numerics::reduce(t, n, order);
        });
}

TEST(CudaRows, SumsInChunks) {
    for (const auto format :
         {numerics::PartialFormat::f32, numerics::PartialFormat::bf16, numerics::PartialFormat::f16}) {
        cuda::SumRule rule{{Order::splitK, 7}};
        rule.inChunks = true;
        rule.format = format;
        expectSums(rule, [&](const numerics::SumTerms& t, std::size_t n, std::size_t) {
            return numerics::combinedChunks(t, n, 7, 0.0f, format, nullptr);
        });
        rule.arrival = true;
        rule.seed = 99;
        expectSums(rule, [&](const numerics::SumTerms& t, std::size_t n, std::size_t row) {
            std::vector<std::uint32_t> p(numerics::chunkCount(n, numerics::chunkLength(n, 7)));
            numerics::arrivalOrder(99, static_cast<std::uint32_t>(row / 16), 0, p.data(), p.size());
            return numerics::combinedChunks(t, n, 7, 0.0f, format, p.data());
        });
    }
}

TEST(CudaRows, RunningSumsRoundedAtEveryAddition) {
    cuda::SumRule rule;
    rule.roundedSum = true;
    rule.accumulator = numerics::PartialFormat::bf16;
    expectSums(rule, [&](const numerics::SumTerms& t, std::size_t n, std::size_t) {
        float sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum = numerics::roundToBf16(t.add(i, sum));
        return sum;
    });
}

} // namespace
} // namespace divdet
