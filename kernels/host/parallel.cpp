#include "host/parallel.h"

#include <new>

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace divdet::host {

namespace {

constexpr std::align_val_t kAlignment{128};

struct Block {
    void* data = nullptr;
    std::size_t bytes = 0;
    ~Block() { ::operator delete(data, kAlignment); }
};

} // namespace

void runTasks(std::size_t count, void (*call)(const void*, std::size_t), const void* context) {
    if (count == 1) return call(context, 0);
    // Isolated: a thread that waits here must not pick up an unrelated task that uses the same scratch
    // memory.
    tbb::this_task_arena::isolate(
        [&] { tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) { call(context, i); }); });
}

std::size_t threadCount() {
    const int n = tbb::this_task_arena::max_concurrency();
    return n < 1 ? 1 : static_cast<std::size_t>(n);
}

void* scratch(int slot, std::size_t bytes) {
    thread_local Block blocks[4];
    Block& block = blocks[slot];
    if (block.bytes < bytes) {
        ::operator delete(block.data, kAlignment);
        block.data = nullptr;
        block.bytes = 0;
        block.data = ::operator new(bytes, kAlignment);
        block.bytes = bytes;
    }
    return block.data;
}

Buffer::Buffer(std::size_t bytes)
    : m_data(::operator new(bytes ? bytes : 1, kAlignment)) {}

Buffer::~Buffer() {
    ::operator delete(m_data, kAlignment);
}

} // namespace divdet::host
