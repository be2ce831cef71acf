#pragma once
/// Stands for the CUDA runtime where kernels and module are compiled as C++ for the executor: the words of
/// the language, the built-in functions that the kernels use, and the part of the API that the module calls.
/// There are five devices, one per architecture the twins know; all of them are this CPU.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "cuda_on_cpu/executor.h"

#define __global__ inline
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __shared__ static // one block at a time: a static is the block's

using dim3 = cuda_on_cpu::Dim3;
struct uint4 {
    std::uint32_t x, y, z, w;
};

extern cuda_on_cpu::Index threadIdx, blockIdx, blockDim, gridDim;

inline void __syncthreads() {
    cuda_on_cpu::meetBlock();
}
inline void __syncwarp(unsigned = ~0u) {
    cuda_on_cpu::meetWarp();
}

namespace cuda_on_cpu {
/// Every lane gives a value, and takes that of lane `from`.
template <class T>
T exchanged(T value, unsigned from) {
    constexpr unsigned kWords = (sizeof(T) + 3) / 4;
    static_assert(kWords * 32 <= kWarpWords);
    std::memcpy(warpScratch() + lane() * kWords, &value, sizeof value);
    meetWarp();
    T taken;
    std::memcpy(&taken, warpScratch() + from % 32 * kWords, sizeof taken);
    meetWarp();
    return taken;
}
} // namespace cuda_on_cpu

template <class T>
T __shfl_sync(unsigned, T value, unsigned from) {
    return cuda_on_cpu::exchanged(value, from);
}
template <class T>
T __shfl_xor_sync(unsigned, T value, unsigned mask) {
    return cuda_on_cpu::exchanged(value, cuda_on_cpu::lane() ^ mask);
}
template <class T>
T __shfl_down_sync(unsigned, T value, unsigned by) {
    const unsigned l = cuda_on_cpu::lane();
    return cuda_on_cpu::exchanged(value, l + by < 32 ? l + by : l);
}

// Threads run one at a time, so that reading and writing is one step.
template <class T>
T atomicAdd(T* at, T value) {
    const T old = *at;
    *at = old + value;
    return old;
}
template <class T>
T atomicMax(T* at, T value) {
    const T old = *at;
    if (value > old) *at = value;
    return old;
}
template <class T>
T atomicOr(T* at, T value) {
    const T old = *at;
    *at = old | value;
    return old;
}

#define DIVDET_CUDA_ON_CPU 1
#define DIVDET_LAUNCH(kernel, grid, block, stream, ...)                                                      \
    cuda_on_cpu::launch(dim3(grid), dim3(block), [&, divdetStream = (stream)] {                              \
        (void)divdetStream;                                                                                  \
        kernel(__VA_ARGS__);                                                                                 \
    })

using cudaError_t = int;
enum : int {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101
};
using cudaStream_t = struct CudaOnCpuStream*;
using cudaEvent_t = struct CudaOnCpuEvent*;
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice };
enum { cudaStreamNonBlocking = 1 };
enum cudaDeviceAttr { cudaDevAttrMemoryPoolsSupported = 115 };

struct cudaDeviceProp {
    char name[256];
    std::size_t totalGlobalMem;
    int major, minor, multiProcessorCount;
};

const char* cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError();
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
using cudaMemPool_t = struct CudaOnCpuPool*;
enum cudaMemPoolAttr { cudaMemPoolAttrReleaseThreshold = 4 };
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaMalloc(void** memory, std::size_t bytes);
cudaError_t cudaFree(void* memory);
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream);
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t);
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t first, cudaEvent_t last);
