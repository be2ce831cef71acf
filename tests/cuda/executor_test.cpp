#include <gtest/gtest.h>

#include "cuda_on_cpu/cuda_runtime.h"
#include "cuda_on_cpu/device.h"
#include "numerics/reduction.h"

/// Tests of the tester: what is wrong with a kernel must show.
namespace {

using cuda_on_cpu::Array;

/// Sum of 256 values by a tree in shared memory; `barrier` says which of its barriers are there.
enum class Barriers { all, noneAfterLoad, noneInTree };
__global__ void treeSum(const float* x, float* y, Barriers barriers) {
    __shared__ float part[256];
    const unsigned t = threadIdx.x;
    part[t] = x[blockIdx.x * 256 + t];
    if (barriers != Barriers::noneAfterLoad) __syncthreads();
    for (unsigned o = 128; o > 0; o /= 2) {
        if (t < o) part[t] = part[t] + part[t + o];
        if (barriers != Barriers::noneInTree) __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = part[0];
}

constexpr std::size_t kRows = 8;

std::vector<float> sums(Barriers barriers, std::uint32_t seed) {
    std::vector<float> values(kRows * 256);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 1.0f / static_cast<float>(i + 1);
    Array<float> x(values), y(kRows);
    cuda_on_cpu::useOrder(seed);
    DIVDET_LAUNCH(treeSum, 8u, 256u, nullptr, x.data(), y.data(), barriers);
    return y.values();
}

TEST(CudaOnCpu, ACompleteKernelGivesOneResultInEveryOrder) {
    const auto first = sums(Barriers::all, 1);
    for (std::uint32_t seed = 2; seed < 10; ++seed) EXPECT_EQ(sums(Barriers::all, seed), first);
    std::vector<float> values(256);
    for (std::size_t i = 0; i < 256; ++i) values[i] = 1.0f / static_cast<float>(i + 1);
    EXPECT_EQ(first[0], divdet::numerics::strided(divdet::numerics::SumTerms{values.data()}, 256, 0.0f));
}

TEST(CudaOnCpu, AMissingBarrierShowsAsAnotherResult) {
    const auto right = sums(Barriers::all, 1);
    for (const Barriers missing : {Barriers::noneAfterLoad, Barriers::noneInTree})
        for (std::uint32_t seed = 1; seed <= 3; ++seed) EXPECT_NE(sums(missing, seed), right) << seed;
}

__global__ void readOneBeyond(const float* x, std::size_t n, float* y) {
    if (threadIdx.x == 0) y[0] = x[n];
}
__global__ void writeOneBefore(float* x) {
    x[-1025] = 1.0f;
}
__global__ void writeBesides(unsigned char* x, std::size_t n) {
    if (threadIdx.x == 0) x[n] = 1;
}

TEST(CudaOnCpuDeathTest, AnAccessOutsideABufferStopsTheProgramAndNamesTheBuffer) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Array<float> x(64), y(4);
    EXPECT_EXIT(DIVDET_LAUNCH(readOneBeyond, 1u, 32u, nullptr, x.data(), 64, y.data()),
                testing::ExitedWithCode(3), "out of bounds: byte 256 of a device buffer of 256 bytes");
    EXPECT_EXIT(DIVDET_LAUNCH(writeOneBefore, 1u, 1u, nullptr, x.data()), testing::ExitedWithCode(3),
                "out of bounds: byte -4100 of a device buffer of 256 bytes");
}

TEST(CudaOnCpu, AWriteBesideAnOddlySizedBufferIsFoundWhenItIsFreed) {
    auto* const x = static_cast<unsigned char*>(cuda_on_cpu::allocate(13));
    DIVDET_LAUNCH(writeBesides, 1u, 32u, nullptr, x, 13);
    EXPECT_THROW(cuda_on_cpu::release(x), std::runtime_error);
}

TEST(CudaOnCpu, FreshMemoryIsNotANumber) {
    Array<float> x(5);
    for (float v : x.values()) EXPECT_NE(v, v);
}

__global__ void meetAtDifferentBarriers() {
    if (threadIdx.x < 16)
        __syncthreads();
    else
        __syncwarp();
    __syncwarp();
}

TEST(CudaOnCpu, ThreadsThatWaitForEachOtherInVainAreADeadlockWithAText) {
    try {
        DIVDET_LAUNCH(meetAtDifferentBarriers, 1u, 32u, nullptr);
        FAIL() << "no deadlock was found";
    } catch (const cuda_on_cpu::Deadlock& e) {
        EXPECT_STREQ(e.what(), "deadlock in block (0, 0, 0): 16 threads wait for the block and 16 for their "
                               "warp, the first is thread 0");
    }
}

__global__ void returnsEarly(int* y) {
    if (threadIdx.x >= 40) return;
    __syncthreads();
    atomicAdd(y, 1);
}

TEST(CudaOnCpu, ThreadsThatHaveEndedAreNotWaitedFor) {
    Array<int> y(std::vector<int>{0});
    DIVDET_LAUNCH(returnsEarly, 3u, 64u, nullptr, y.data());
    EXPECT_EQ(y.values()[0], 120);
}

__global__ void shuffles(int* y) {
    const int t = static_cast<int>(threadIdx.x);
    y[t] = __shfl_xor_sync(~0u, t, 5u) * 10000 + __shfl_down_sync(~0u, t, 3u) * 100 + __shfl_sync(~0u, t, 7u);
}

TEST(CudaOnCpu, LanesSeeEachOtherInsideTheirWarp) {
    Array<int> y(64);
    DIVDET_LAUNCH(shuffles, 1u, 64u, nullptr, y.data());
    const auto values = y.values();
    for (int t = 0; t < 64; ++t) {
        const int lane = t % 32, warp = t - lane;
        const int down = lane + 3 < 32 ? t + 3 : t;
        ASSERT_EQ(values[static_cast<std::size_t>(t)], (warp + (lane ^ 5)) * 10000 + down * 100 + warp + 7);
    }
}

__global__ void throwsOnce() {
    __syncthreads();
    if (threadIdx.x == 5) throw std::runtime_error("from a thread");
    __syncthreads();
}

TEST(CudaOnCpu, WhatAThreadThrowsEndsTheLaunch) {
    EXPECT_THROW(DIVDET_LAUNCH(throwsOnce, 2u, 64u, nullptr), std::runtime_error);
    EXPECT_EQ(sums(Barriers::all, 3), sums(Barriers::all, 1)); // and the executor still works
}

TEST(CudaOnCpu, MemoryBeyondTheLimitIsRefused) {
    cuda_on_cpu::limitMemory(1000);
    EXPECT_EQ(cuda_on_cpu::allocate(1001), nullptr);
    void* const x = cuda_on_cpu::allocate(900);
    ASSERT_NE(x, nullptr);
    EXPECT_EQ(cuda_on_cpu::allocate(200), nullptr);
    cuda_on_cpu::release(x);
    cuda_on_cpu::limitMemory(cuda_on_cpu::kNoLimit);
}

} // namespace
