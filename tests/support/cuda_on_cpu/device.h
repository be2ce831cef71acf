#pragma once
#include <cstddef>
#include <vector>

#include "numerics/tensor_core_spec.h"

/// The devices and the memory of the executor. A buffer ends where its page ends, and the pages on both sides
/// cannot be touched: an access outside stops the program with a sentence that names the buffer. It is filled
/// with NaNs, so that reading what nobody wrote shows in results.
namespace cuda_on_cpu {

using divdet::numerics::Arch;

inline constexpr Arch kDevices[] = {Arch::sm75, Arch::sm80, Arch::sm89, Arch::sm90, Arch::sm100};

/// Whose tensor cores answer: those of the device chosen last (cudaSetDevice; 0 at first).
Arch currentArch();

/// Device memory that a launch may ask for before it is refused, all buffers together.
void limitMemory(std::size_t bytes);
inline constexpr std::size_t kNoLimit = static_cast<std::size_t>(-1);

void* allocate(std::size_t bytes); ///< nullptr beyond the limit
/// Throws std::runtime_error when bytes in front of the buffer's end have been overwritten by a neighbour.
void release(void* memory);

std::size_t buffersInUse();
std::size_t bytesInUse();

std::uint64_t uploads(); ///< copies from host to device since the start

/// An array in device memory, for tests that call kernels directly.
template <class T>
class Array {
public:
    explicit Array(std::size_t n)
        : m_size(n)
        , m_data(static_cast<T*>(allocate(n * sizeof(T)))) {}
    explicit Array(const std::vector<T>& values)
        : Array(values.size()) {
        for (std::size_t i = 0; i < m_size; ++i) m_data[i] = values[i];
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() { release(m_data); }

    T* data() { return m_data; }
    std::vector<T> values() const { return std::vector<T>(m_data, m_data + m_size); }

private:
    std::size_t m_size;
    T* m_data;
};

} // namespace cuda_on_cpu
