#include "cuda/module/queue.h"

#include <string>

#include "cuda/module/failure.h"
#include "cuda/module/memory_tape.h"

namespace divdet::cuda {

namespace {

/// Freed memory that a pool keeps for the next run instead of giving it back at every wait.
constexpr std::uint64_t kKeptBytes = std::uint64_t{1} << 30;

void keepFreedMemory(int device) {
    cudaMemPool_t pool = nullptr;
    std::uint64_t bytes = kKeptBytes;
    check(cudaDeviceGetDefaultMemPool(&pool, device), "asking for the memory pool");
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes), "setting the memory pool");
}

} // namespace

Queue::Queue(int device)
    : m_device(device) {
    use();
    int pools = 0;
    check(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, device), "asking the device");
    m_pooled = pools != 0;
    if (m_pooled) keepFreedMemory(device);
    check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "making a stream");
}

Queue::~Queue() {
    cudaSetDevice(m_device);
    cudaStreamDestroy(m_stream);
}

void Queue::use() const {
    check(cudaSetDevice(m_device), "choosing the device");
}

void Queue::wait() const {
    check(cudaStreamSynchronize(m_stream), "waiting for the device");
}

void* Queue::allocate(std::size_t bytes) const {
    void* memory = nullptr;
    cudaError_t taken = take(&memory, bytes);
    if (taken == cudaErrorMemoryAllocation && m_giveBack && m_giveBack()) {
        cudaGetLastError(); // it does not stick
        wait();             // what was freed in the stream's order is free then
        taken = take(&memory, bytes);
    }
    check(taken, ("taking " + std::to_string(bytes) + " bytes of device memory").c_str());
    return memory;
}

cudaError_t Queue::take(void** memory, std::size_t bytes) const {
    return m_pooled ? cudaMallocAsync(memory, bytes, m_stream) : cudaMalloc(memory, bytes);
}

void Queue::release(void* memory) const noexcept {
    if (!memory) return;
    // What fails here has failed before and was reported there.
    if (m_pooled)
        cudaFreeAsync(memory, m_stream);
    else
        cudaFree(memory);
}

Buffer::Buffer(const Queue& queue, std::size_t bytes)
    : m_queue(&queue)
    , m_memory(queue.tape() ? queue.tape()->next(bytes) : queue.allocate(bytes))
    , m_bytes(bytes)
    , m_owns(!queue.tape()) {}

void Buffer::clear() const {
    if (m_queue) cuda::clear(*m_queue, m_memory, m_bytes);
}

void clear(const Queue& queue, void* memory, std::size_t bytes) {
    if (bytes) check(cudaMemsetAsync(memory, 0, bytes, queue.stream()), "clearing device memory");
}

} // namespace divdet::cuda
