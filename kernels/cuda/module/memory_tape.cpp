#include "cuda/module/memory_tape.h"

#include "cuda/module/failure.h"

namespace divdet::cuda {

Buffer MemoryTape::fresh(std::size_t bytes) const {
    return Buffer::owned(m_queue, bytes);
}

void* MemoryTape::next(std::size_t bytes) {
    if (m_at == m_blocks.size()) {
        if (m_sealed)
            throw Failure{DIVDET_DEVICE_ERROR, "a replayed program asked for more memory than before"};
        m_blocks.push_back({fresh(bytes), {}});
    }
    const Block& block = m_blocks[m_at];
    if (block.memory.bytes() != bytes)
        throw Failure{DIVDET_DEVICE_ERROR, "a replayed program asked for other memory than before"};
    ++m_at;
    return m_spares ? block.spare.data() : block.memory.data();
}

void MemoryTape::makeSpares(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
        if (!m_blocks[i].spare) m_blocks[i].spare = fresh(m_blocks[i].memory.bytes());
}

} // namespace divdet::cuda
