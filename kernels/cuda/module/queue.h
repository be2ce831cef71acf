#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

/// A device's stream and the memory that is used in its order.
namespace divdet::cuda {

class MemoryTape;

class Queue {
public:
    explicit Queue(int device); ///< throws Failure
    ~Queue();
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;

    /// Makes the device current for the calling thread; every function of a session begins with it.
    void use() const;
    cudaStream_t stream() const { return m_stream; }
    void wait() const; ///< throws Failure with what any launch since the last wait did wrong

    /// Asked once when memory is short, before it is an error: gives some back, or answers false.
    void whenShort(std::function<bool()> giveBack) { m_giveBack = std::move(giveBack); }

    /// While there is one, buffers lie in its memory.
    void setTape(MemoryTape* tape) { m_tape = tape; }
    MemoryTape* tape() const { return m_tape; }

    /// Throws Failure: out of memory, with the size that was asked for.
    void* allocate(std::size_t bytes) const;
    void release(void* memory) const noexcept;

private:
    cudaError_t take(void** memory, std::size_t bytes) const;

    int m_device;
    cudaStream_t m_stream = nullptr;
    bool m_pooled = false;
    std::function<bool()> m_giveBack;
    MemoryTape* m_tape = nullptr;
};

/// Device memory of a queue; freed in stream order, so kernels that still run keep it.
class Buffer {
public:
    Buffer() = default;
    Buffer(const Queue& queue, std::size_t bytes);
    /// Whatever tape there is.
    static Buffer owned(const Queue& queue, std::size_t bytes) {
        Buffer b;
        b.m_memory = queue.allocate(bytes);
        b.m_queue = &queue;
        b.m_bytes = bytes;
        return b;
    }
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        Buffer taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~Buffer() {
        if (m_queue && m_owns) m_queue->release(m_memory);
    }

    explicit operator bool() const { return m_queue != nullptr; }
    void* data() const { return m_memory; }
    std::size_t bytes() const { return m_bytes; }
    void clear() const; ///< to zeros

private:
    void swap(Buffer& other) noexcept {
        std::swap(m_queue, other.m_queue);
        std::swap(m_memory, other.m_memory);
        std::swap(m_bytes, other.m_bytes);
        std::swap(m_owns, other.m_owns);
    }
    const Queue* m_queue = nullptr;
    void* m_memory = nullptr;
    std::size_t m_bytes = 0;
    bool m_owns = true; ///< false in a tape's memory
};

/// A buffer of n values.
template <class T>
class ArrayOf : public Buffer {
public:
    ArrayOf() = default;
    ArrayOf(const Queue& queue, std::size_t n)
        : Buffer(queue, n * sizeof(T)) {}
    T* get() const { return static_cast<T*>(data()); }
};
using Floats = ArrayOf<float>;
using Words = ArrayOf<std::uint32_t>;

void clear(const Queue& queue, void* memory, std::size_t bytes);

} // namespace divdet::cuda
