#pragma once
#include <vector>

#include "cuda/module/queue.h"

namespace divdet::cuda {

/// The memory of a program that runs several times at the same addresses, as a captured graph must: the n-th
/// request of every run gets the same block. Nothing is shared between requests.
class MemoryTape {
public:
    explicit MemoryTape(const Queue& queue)
        : m_queue(queue) {}

    /// Throws Failure when a run asks for other sizes than the first one, or, once sealed, for more.
    void* next(std::size_t bytes);
    void rewind() { m_at = 0; }
    void seal() { m_sealed = true; }
    std::size_t position() const { return m_at; } ///< requests since the start of the run

    /// A second block for each request in [first, last), which next() answers with while useSpares(true).
    void makeSpares(std::size_t first, std::size_t last);
    void useSpares(bool on) { m_spares = on; }

private:
    struct Block {
        Buffer memory, spare;
    };
    Buffer fresh(std::size_t bytes) const;

    const Queue& m_queue;
    std::vector<Block> m_blocks;
    std::size_t m_at = 0;
    bool m_sealed = false, m_spares = false;
};

/// Puts a tape on a queue for as long as it lives.
class TapeOn {
public:
    TapeOn(Queue& queue, MemoryTape& tape)
        : m_queue(queue) {
        m_queue.setTape(&tape);
    }
    ~TapeOn() { m_queue.setTape(nullptr); }
    TapeOn(const TapeOn&) = delete;
    TapeOn& operator=(const TapeOn&) = delete;

private:
    Queue& m_queue;
};

} // namespace divdet::cuda
