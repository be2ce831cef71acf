#include "cuda_on_cpu/device.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

#include "cuda_on_cpu/cuda_runtime.h"
#include "cuda_on_cpu/graphs.h"

namespace cuda_on_cpu {
namespace {

constexpr std::size_t kAlignment = 16; ///< what the kernels' widest access needs
constexpr unsigned char kFill = 0xFF;  ///< every float of it is a NaN

struct Buffer {
    char* pages; ///< with one forbidden page in front and one behind
    std::size_t pageBytes, bytes;
};

int g_device = 0;
std::size_t g_limit = kNoLimit, g_inUse = 0;
std::uint64_t g_uploads = 0;
int g_lastError = cudaSuccess;
std::map<char*, Buffer> g_buffers; ///< by address

std::size_t pageSize() {
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

/// Says which buffer an access missed; everything else crashes as it always does.
void onFault(int signal, siginfo_t* info, void*) {
    char* const at = static_cast<char*>(info->si_addr);
    for (const auto& [data, b] : g_buffers) {
        if (at < b.pages || at >= b.pages + b.pageBytes + 2 * pageSize()) continue;
        const long long offset = at - data;
        std::fprintf(stderr,
                     "cuda_on_cpu: out of bounds: byte %lld of a device buffer of %zu bytes, block (%u, %u, "
                     "%u), thread (%u, %u, %u)\n",
                     offset, b.bytes, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
                     threadIdx.z);
        std::_Exit(3);
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void watchFaults() {
    static const bool watched = [] {
        struct sigaction action {};
        action.sa_sigaction = onFault;
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGSEGV, &action, nullptr);
        return true;
    }();
    (void)watched;
}

std::size_t roundedUp(std::size_t n, std::size_t unit) {
    return (n + unit - 1) / unit * unit;
}

cudaError_t failed(cudaError_t error) {
    g_lastError = error;
    return error;
}

} // namespace

Arch currentArch() {
    return kDevices[g_device];
}

void limitMemory(std::size_t bytes) {
    g_limit = bytes;
}

void* allocate(std::size_t bytes) {
    watchFaults();
    if (bytes > g_limit || g_inUse > g_limit - bytes) return nullptr;
    const std::size_t inside = roundedUp(bytes + (bytes == 0), pageSize());
    void* const mapped =
        mmap(nullptr, inside + 2 * pageSize(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return nullptr;
    char* const pages = static_cast<char*>(mapped);
    char* const first = pages + pageSize();
    mprotect(first, inside, PROT_READ | PROT_WRITE);
    std::memset(first, kFill, inside);
    char* const data = first + inside - roundedUp(bytes, kAlignment);
    g_buffers[data] = {pages, inside, bytes};
    g_inUse += bytes;
    return data;
}

void release(void* memory) {
    if (!memory) return;
    const auto found = g_buffers.find(static_cast<char*>(memory));
    if (found == g_buffers.end()) throw std::runtime_error("cuda_on_cpu: freed what is no device buffer");
    const Buffer b = found->second;
    const auto untouched = [](const char* first, const char* last) {
        for (; first != last; ++first)
            if (static_cast<unsigned char>(*first) != kFill) return false;
        return true;
    };
    char* const data = found->first;
    char* const first = b.pages + pageSize();
    const bool whole = untouched(first, data) && untouched(data + b.bytes, first + b.pageBytes);
    g_inUse -= b.bytes;
    g_buffers.erase(found);
    munmap(b.pages, b.pageBytes + 2 * pageSize());
    if (!whole)
        throw std::runtime_error("cuda_on_cpu: out of bounds: bytes beside a device buffer of " +
                                 std::to_string(b.bytes) + " bytes were written");
}

std::uint64_t uploads() {
    return g_uploads;
}

std::size_t bytesInUse() {
    return g_inUse;
}

std::size_t buffersInUse() {
    return g_buffers.size();
}

} // namespace cuda_on_cpu

using namespace cuda_on_cpu;

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorInvalidDevice:
        return "invalid device ordinal";
    case cudaErrorStreamCaptureUnsupported:
        return "operation not permitted when stream is capturing";
    default:
        return "unknown error";
    }
}
cudaError_t cudaGetLastError() {
    const int error = g_lastError;
    g_lastError = cudaSuccess;
    return error;
}
cudaError_t cudaGetDeviceCount(int* count) {
    *count = static_cast<int>(std::size(kDevices));
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    if (device < 0 || static_cast<std::size_t>(device) >= std::size(kDevices))
        return failed(cudaErrorInvalidDevice);
    const int sm = static_cast<int>(kDevices[device]);
    *properties = {};
    std::snprintf(properties->name, sizeof properties->name, "executor of sm_%d", sm);
    properties->totalGlobalMem = std::size_t{1} << 30;
    properties->major = sm / 10;
    properties->minor = sm % 10;
    properties->multiProcessorCount = 1;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
    *value = 1;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
    *pool = nullptr;
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    if (device < 0 || static_cast<std::size_t>(device) >= std::size(kDevices))
        return failed(cudaErrorInvalidDevice);
    g_device = device;
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
    if (capturing()) return failed(spoilCapture());
    *memory = allocate(bytes);
    return *memory ? cudaSuccess : failed(cudaErrorMemoryAllocation);
}
cudaError_t cudaFree(void* memory) {
    release(memory);
    return cudaSuccess;
}
cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t) {
    return cudaMalloc(memory, bytes);
}
cudaError_t cudaFreeAsync(void* memory, cudaStream_t) {
    return cudaFree(memory);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t) {
    g_uploads += kind == cudaMemcpyHostToDevice;
    if (bytes) enqueue([=] { std::memcpy(to, from, bytes); });
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t) {
    if (bytes) enqueue([=] { std::memset(to, value, bytes); });
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    *stream = nullptr;
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) {
    if (capturing()) return failed(spoilCapture());
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
    *event = nullptr;
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t) {
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
    *milliseconds = 0;
    return cudaSuccess;
}
