#pragma once
/// Stands for the CUDA runtime where kernels and module are compiled as C++ for the executor: the words of
/// the language, the built-in functions that the kernels use, and the part of the API that the module calls.
/// There are five devices, one per architecture the twins know; all of them are this CPU.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>

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
/// Does the work now, or makes it a node of the graph that is being captured.
void enqueue(std::function<void()> work);

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
// Arguments are evaluated now, and kept by value for whenever the work is done.
#define DIVDET_LAUNCH(kernel, grid, block, stream, ...)                                                      \
    cuda_on_cpu::enqueue([divdetGrid = dim3(grid), divdetBlock = dim3(block), divdetStream = (stream),       \
                          divdetArguments = std::make_tuple(__VA_ARGS__)] {                                  \
        (void)divdetStream;                                                                                  \
        cuda_on_cpu::launch(divdetGrid, divdetBlock, [&] {                                                   \
            std::apply([](const auto&... argument) { kernel(argument...); }, divdetArguments);               \
        });                                                                                                  \
    })

using cudaError_t = int;
enum : int {
    cudaSuccess = 0,
    cudaErrorMemoryAllocation = 2,
    cudaErrorNoDevice = 100,
    cudaErrorInvalidDevice = 101,
    cudaErrorStreamCaptureUnsupported = 900,
    cudaErrorStreamCaptureInvalidated = 901,
    cudaErrorGraphExecUpdateFailure = 910
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

// Graphs (graphs.cpp): a stream that is captured keeps its work, and refuses memory and waiting.
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal = 1 };
using cudaGraph_t = struct CudaOnCpuGraph*;
using cudaGraphExec_t = struct CudaOnCpuGraph*;
struct cudaGraphExecUpdateResultInfo {
    int result;
};
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info);
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
