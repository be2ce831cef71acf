#pragma once
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "host/gemm.h"
#include "host/targets.h"
#include "numerics/rounding.h"

/// Equal bits, or both NaN: payloads are not part of the fp32 kernels' contract.
inline bool sameValue(float x, float y) {
    using namespace divdet::numerics;
    return bitsOf(x) == bitsOf(y) || (isNan(x) && isNan(y));
}

/// Test values: normals of a scale, with a sprinkle of zeros, exact ties and, on request, special values.
class Values {
public:
    explicit Values(std::uint32_t seed)
        : m_random(seed) {}

    std::vector<float> normal(std::size_t n, float scale = 1.0f) {
        std::normal_distribution<float> d(0.0f, scale);
        std::vector<float> x(n);
        for (float& v : x) v = d(m_random);
        for (std::size_t i = 0; i < n; ++i) {
            if (below(17) == 0) x[i] = below(2) ? 0.0f : -0.0f;
        }
        return x;
    }

    /// Any bits at all: subnormals, infinities and NaNs included.
    std::vector<float> anyBits(std::size_t n) {
        std::vector<float> x(n);
        for (float& v : x) v = divdet::numerics::floatFromBits(static_cast<std::uint32_t>(m_random()));
        return x;
    }

    /// A few values of `x` replaced by infinities, NaNs, subnormals and huge or tiny numbers.
    void spoil(std::vector<float>& x, int count) {
        const std::uint32_t specials[] = {0x7F800000u, 0xFF800000u, 0x7FC00000u, 0x7FFFFFFFu, 1u,
                                          0x80000003u, 0x007FFFFFu, 0x7F7FFFFFu, 0x00800000u, 0x0DA24260u};
        for (int i = 0; i < count && !x.empty(); ++i) {
            x[below(x.size())] = divdet::numerics::floatFromBits(specials[below(std::size(specials))]);
        }
    }

    std::vector<std::int8_t> bytes(std::size_t n) {
        std::vector<std::int8_t> x(n);
        for (auto& v : x) v = static_cast<std::int8_t>(m_random());
        return x;
    }

    std::size_t below(std::size_t n) { return static_cast<std::size_t>(m_random() % n); }

private:
    std::mt19937 m_random;
};

/// Shapes with ones, primes, whole tiles and their neighbours.
inline std::vector<divdet::host::GemmShape> oddShapes() {
    return {{1, 1, 1},   {1, 1, 17},    {3, 5, 7},     {2, 16, 8},  {7, 67, 13},    {4, 64, 32}, {5, 65, 31},
            {6, 63, 33}, {13, 130, 65}, {1, 200, 300}, {9, 3, 517}, {17, 33, 1024}, {2, 5, 0}};
}

/// Runs the body for every instruction set there is; the test's own restriction is lifted at its end.
class AllTargets : public testing::Test {
protected:
    template <class F>
    void forEachTarget(const F& body) {
        std::vector<std::string> names = divdet::host::simdTargets();
        names.emplace_back(); // unrestricted: adds the VNNI code
        for (const std::string& name : names) {
            SCOPED_TRACE(name.empty() ? "unrestricted" : name);
            divdet::host::useSimdTarget(name);
            body();
        }
    }
    void TearDown() override { divdet::host::useSimdTarget({}); }
};
