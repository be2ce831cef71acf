#pragma once
#include <cstdint>
#include <vector>

#include "cuda/module/launches.h"
#include "cuda_on_cpu/device.h"
#include "cuda_on_cpu/executor.h"
#include "effort.h"
#include "kernels/kernel_test_support.h"

/// What tests of single kernels share. Kernels run on the executor; the expected bits come from kernels/host.
namespace divdet {

template <class T>
using DeviceArray = cuda_on_cpu::Array<T>;

/// Runs the body under three orders of threads.
template <class F>
void forEachOrder(const F& body) {
    for (const std::uint32_t seed : {1u, 77u, 4242u}) {
        SCOPED_TRACE("order of threads " + std::to_string(seed));
        cuda_on_cpu::useOrder(seed);
        body();
    }
}

inline void useDevice(numerics::Arch arch) {
    for (int i = 0; i < static_cast<int>(std::size(cuda_on_cpu::kDevices)); ++i)
        if (cuda_on_cpu::kDevices[i] == arch) cudaSetDevice(i);
}

inline constexpr std::size_t kLeastShapes = test::effort(50, 20);

/// At least kLeastShapes: ones, primes, whole tiles and their neighbours, no terms at all.
inline std::vector<host::GemmShape> kernelShapes() {
    std::vector<host::GemmShape> all = oddShapes();
    const std::size_t sizes[] = {1,  2,  3,  5,  7,  11, 13, 17, 19, 23, 29,
                                 31, 37, 41, 43, 47, 53, 59, 61, 64, 65, 67};
    constexpr std::size_t kCount = std::size(sizes);
    for (std::size_t i = 0; i < test::effort(40u, 8u); ++i)
        all.push_back({sizes[(i * 7 + 3) % kCount], sizes[(i * 5 + 1) % kCount], sizes[(i * 3) % kCount]});
    all.push_back({129, 3, 5});
    all.push_back({2, 131, 37});
    return all;
}

inline std::string text(host::GemmShape s) {
    return std::to_string(s.m) + " x " + std::to_string(s.n) + " x " + std::to_string(s.k);
}

/// Equal bits, or both NaN, everywhere.
inline void expectSame(const std::vector<float>& got, const std::vector<float>& expected) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        ASSERT_TRUE(sameValue(got[i], expected[i]))
            << "element " << i << ": " << got[i] << ", expected " << expected[i];
}

} // namespace divdet
