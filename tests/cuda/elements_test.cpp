#include "cuda/kernel_fixture.h"
#include "host/elementwise.h"
#include "host/rows.h"
#include "numerics/flush.h"
#include "numerics/philox.h"
#include "numerics/quantize.h"
#include "numerics/scatter.h"

/// Pointwise ops, stores, random numbers, moves and gathers: the bits of kernels/host or of the scalar rule.
namespace divdet {
namespace {

using Floats = std::vector<float>;

/// 52 lengths: ones, primes, whole blocks and their neighbours.
std::vector<std::size_t> lengths() {
    std::vector<std::size_t> all;
    for (std::size_t n = 1; n <= 41; ++n) all.push_back(n);
    for (const std::size_t n : {64u, 127u, 255u, 256u, 257u, 511u, 512u, 513u, 1023u, 1031u, 4099u})
        all.push_back(n);
    return all;
}

/// launch(x, n, y) against scalar(x) for values of any bits.
template <class Launch, class Scalar>
void expectEach(const Launch& launch, const Scalar& scalar) {
    Values values(2);
    for (const std::size_t n : lengths()) {
        SCOPED_TRACE(n);
        Floats x = n % 2 ? values.anyBits(n) : values.normal(n, 4);
        Floats wanted(n);
        for (std::size_t i = 0; i < n; ++i) wanted[i] = scalar(x, i);
        DeviceArray<float> from(x);
        forEachOrder([&] {
            DeviceArray<float> y(n);
            launch(from.data(), n, y.data());
            expectSame(y.values(), wanted);
        });
    }
}

TEST(CudaElements, FunctionsOfBothKindsOfMaths) {
    const std::pair<cuda::Function, host::Elementwise> functions[] = {
        {cuda::Function::gelu, host::Elementwise::gelu},
        {cuda::Function::geluTanh, host::Elementwise::geluTanh},
        {cuda::Function::silu, host::Elementwise::silu},
        {cuda::Function::relu, host::Elementwise::relu},
        {cuda::Function::fastGelu, host::Elementwise::fastGelu},
        {cuda::Function::fastGeluTanh, host::Elementwise::fastGeluTanh},
        {cuda::Function::fastSilu, host::Elementwise::fastSilu}};
    for (const auto& [device, twin] : functions)
        expectEach([f = device](const float* x, std::size_t n,
                                float* y) { cuda::applyFunction(nullptr, f, x, n, y); },
                   [f = twin](const Floats& x, std::size_t i) {
                       float y;
                       host::apply(f, &x[i], &y, 1);
                       return y;
                   });
}

TEST(CudaElements, SumsProductsAndMasks) {
    expectEach(
        [](const float* x, std::size_t n, float* y) { cuda::addElements(nullptr, x, x, n, n / 2 + 1, y); },
        [](const Floats& x, std::size_t i) { return x[i] + x[i % (x.size() / 2 + 1)]; });
    expectEach([](const float* x, std::size_t n, float* y) { cuda::mulElements(nullptr, x, x, n, n, y); },
               [](const Floats& x, std::size_t i) { return x[i] * x[i]; });
    expectEach([](const float* x, std::size_t n, float* y) { cuda::scaleElements(nullptr, x, 0.3f, n, y); },
               [](const Floats& x, std::size_t i) { return x[i] * 0.3f; });
    for (const std::int64_t offset : {-1, 0, 2}) {
        Values values(4);
        for (std::size_t size = 1; size < 52; ++size) {
            const std::size_t queries = size % 7 + 1, keys = size;
            const Floats x = values.normal(3 * queries * keys);
            Floats wanted(x.size());
            host::causalMask(x.data(), offset, 3 * queries, queries, keys, wanted.data());
            DeviceArray<float> from(x), y(x.size());
            cuda::maskCausally(nullptr, from.data(), offset, x.size(), queries, keys, y.data());
            expectSame(y.values(), wanted);
        }
    }
}

template <class Code, class Encode, class Decode>
void expectStores(cuda::Kept kept, const Encode& encode, const Decode& decode) {
    expectEach(
        [&](const float* x, std::size_t n, float* y) {
            DeviceArray<Code> codes(n);
            cuda::narrow(nullptr, kept, x, n, codes.data());
            const auto written = codes.values();
            for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(written[i], encode(x[i]));
            cuda::widen(nullptr, kept, codes.data(), n, y);
        },
        [&](const Floats& x, std::size_t i) { return decode(encode(x[i])); });
}

TEST(CudaElements, StoresRoundOnceToEveryFormat) {
    using namespace numerics;
    expectStores<std::uint16_t>(cuda::Kept::bf16, bf16FromFloat, bf16ToFloat);
    expectStores<std::uint16_t>(cuda::Kept::f16, f16FromFloat, f16ToFloat);
    expectStores<std::uint8_t>(cuda::Kept::f8e4m3, f8e4m3FromFloat, f8e4m3ToFloat);
    expectStores<std::uint8_t>(cuda::Kept::f8e5m2, f8e5m2FromFloat, f8e5m2ToFloat);
    expectEach(
        [](const float* x, std::size_t n, float* y) {
            std::copy_n(x, n, y);
            cuda::flushFloats(nullptr, y, n);
            cuda::roundInPlace(nullptr, cuda::Kept::bf16, y, n);
        },
        [](const Floats& x, std::size_t i) { return roundToBf16(flushed(x[i])); });
}

TEST(CudaElements, WideNumbersAreRoundedOnce) {
    DeviceArray<std::int32_t> i(std::vector<std::int32_t>{0, -5, 16777217, 16777219, -2147483647 - 1});
    DeviceArray<double> d(std::vector<double>{0.1, -1e300, 1 + 0x1p-24, 1 + 0x1p-24 + 0x1p-50});
    DeviceArray<std::int8_t> b(std::vector<std::int8_t>{-128, 127});
    DeviceArray<float> x(5), y(4), z(2);
    cuda::widen(nullptr, cuda::Kept::i32, i.data(), 5, x.data());
    cuda::widen(nullptr, cuda::Kept::f64, d.data(), 4, y.data());
    cuda::widen(nullptr, cuda::Kept::i8, b.data(), 2, z.data());
    expectSame(x.values(), {0, -5, 16777216, 16777220, -2147483648.0f});
    expectSame(y.values(), {0.1f, -INFINITY, 1, 1 + 0x1p-23f});
    expectSame(z.values(), {-128, 127});
}

TEST(CudaElements, StreamsOfRandomNumbersAreTheHosts) {
    for (const std::size_t n : lengths()) {
        Floats normal(n), uniform(n);
        host::fillNormal(7, 3, n, normal.data(), n);
        host::fillUniform(7, 3, n, uniform.data(), n);
        DeviceArray<float> x(n), y(n);
        cuda::fillNormal(nullptr, 7, 3, n, n, x.data());
        cuda::fillUniform(nullptr, 7, 3, n, n, y.data());
        expectSame(x.values(), normal);
        expectSame(y.values(), uniform);
    }
}

TEST(CudaElements, CodesOfQuantizeAndDequantize) {
    const cuda::Channels by{3, 5};
    const Floats scale{0.37f, 1, 2.5f, 1e-3f, 100}, zero{0, 3, -7, 1, 2};
    DeviceArray<float> s(scale), z(zero);
    for (const bool withZero : {true, false}) {
        const float* const zeros = withZero ? z.data() : nullptr;
        const auto at = [&](std::size_t i) { return withZero ? zero[i / 3 % 5] : 0.0f; };
        expectEach(
            [&](const float* x, std::size_t n, float* y) {
                cuda::quantizeElements(nullptr, x, s.data(), zeros, by, -127, 127, n, y);
            },
            [&](const Floats& x, std::size_t i) {
                return numerics::quantizeCode(x[i], scale[i / 3 % 5], at(i), -127, 127);
            });
        expectEach([&](const float* x, std::size_t n,
                       float* y) { cuda::dequantizeElements(nullptr, x, s.data(), zeros, by, n, y); },
                   [&](const Floats& x, std::size_t i) {
                       return numerics::dequantizeCode(x[i], scale[i / 3 % 5], at(i));
                   });
    }
}

TEST(CudaElements, MovesFollowStrides) {
    Values values(8);
    for (std::size_t i = 1; i <= 50; ++i) {
        const std::size_t a = i % 5 + 1, b = i, c = i * 3 % 7 + 1;
        const Floats x = values.normal(a * b * c);
        cuda::StridedShape s{
            3, {c, a, b}, {1, static_cast<std::int64_t>(b * c), static_cast<std::int64_t>(c)}};
        DeviceArray<float> from(x), y(x.size());
        cuda::moveElements(nullptr, from.data(), s, x.size(), y.data());
        const Floats got = y.values();
        for (std::size_t k = 0; k < c; ++k)
            for (std::size_t j = 0; j < a; ++j)
                for (std::size_t l = 0; l < b; ++l)
                    ASSERT_EQ(got[(k * a + j) * b + l], x[(j * b + l) * c + k]);
    }
}

struct Scatter {
    std::size_t sources, targets, width;
    Floats indices, source;
    std::vector<std::vector<std::uint32_t>> lists;
};

std::vector<Scatter> scatters() {
    Values values(6);
    std::vector<Scatter> all;
    for (std::size_t i = 0; i < 50; ++i) {
        Scatter s{i * 7 % 97 + 1, i % 11 + 1, i % 13 + 1, {}, {}, {}};
        s.source = values.normal(s.sources * s.width);
        s.lists.resize(s.targets);
        for (std::uint32_t k = 0; k < s.sources; ++k) {
            const std::size_t t = values.below(s.targets);
            s.indices.push_back(static_cast<float>(t));
            s.lists[t].push_back(k);
        }
        all.push_back(std::move(s));
    }
    return all;
}

TEST(CudaElements, ScatterAddsEachListInItsOrder) {
    using numerics::Order;
    const numerics::SumOrder orders[] = {
        {Order::sequential, 1}, {Order::pairwise, 1}, {Order::strided, 1}, {Order::splitK, 4}};
    std::size_t at = 0;
    for (const Scatter& s : scatters()) {
        const numerics::SumOrder order = orders[at % 4];
        const bool rounded = at++ % 5 == 4;
        Floats wanted(s.targets * s.width);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const auto& list = s.lists[i / s.width];
            const numerics::GatheredTerms terms{&s.source[i % s.width], list.data(), s.width};
            if (!rounded) wanted[i] = numerics::reduce(terms, list.size(), order);
            for (std::size_t k = 0; rounded && k < list.size(); ++k)
                wanted[i] = numerics::roundToF16(terms.add(k, wanted[i]));
        }
        DeviceArray<float> indices(s.indices), source(s.source);
        forEachOrder([&] {
            DeviceArray<std::uint32_t> counts(std::vector<std::uint32_t>(s.targets)), first(s.targets + 1),
                rows(s.sources);
            DeviceArray<float> y(wanted.size());
            cuda::listSources(nullptr, indices.data(), s.sources, s.targets, counts.data(), first.data(),
                              rows.data());
            cuda::scatterOrdered(nullptr, source.data(), rows.data(), first.data(), s.targets, s.width, order,
                                 rounded, numerics::PartialFormat::f16, y.data());
            expectSame(y.values(), wanted);
        });
    }
}

TEST(CudaElements, AtomicScatterAddsTheSameTermsInAnyOrder) {
    std::size_t differed = 0;
    for (const Scatter& s : scatters()) {
        std::vector<Floats> results;
        DeviceArray<float> indices(s.indices), source(s.source);
        forEachOrder([&] {
            DeviceArray<float> y(Floats(s.targets * s.width));
            cuda::scatterAtomically(nullptr, indices.data(), source.data(), s.targets, s.width,
                                    s.source.size(), y.data());
            results.push_back(y.values());
        });
        for (std::size_t i = 0; i < results[0].size(); ++i) {
            double exact = 0;
            for (const std::uint32_t k : s.lists[i / s.width]) exact += s.source[k * s.width + i % s.width];
            for (const Floats& r : results) ASSERT_NEAR(r[i], exact, 1e-4);
        }
        differed += results[0] != results[1];
    }
    EXPECT_GT(differed, 10u); // the order of arrival is an order of threads
}

TEST(CudaElements, GatherTakesRowsAndNeverReadsOutside) {
    const Floats table{1, 2, 3, 4, 5, 6};
    DeviceArray<float> t(table), i(Floats{2, 0, 1, 7, NAN, -3}), y(12);
    cuda::gatherRows(nullptr, i.data(), t.data(), 3, 2, 12, y.data());
    expectSame(y.values(), {5, 6, 1, 2, 3, 4, 5, 6, 5, 6, 5, 6});
}

} // namespace
} // namespace divdet
