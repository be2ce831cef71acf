#pragma once
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

/// Runs kernels on the CPU: one block at a time, every thread of it a fiber. Threads run one after the other
/// between barriers, in an order shuffled anew from a seed whenever a barrier opens, so that what depends on
/// the order (a missing barrier) shows as another result under another seed. Not for concurrent use.
namespace cuda_on_cpu {

struct Index {
    unsigned x = 0, y = 0, z = 0;
};

/// CUDA's dim3: extents that default to 1.
struct Dim3 : Index {
    Dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
        : Index{a, b, c} {}
};

/// Threads of a block that wait for each other in vain.
struct Deadlock : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The order of threads from now on.
void useOrder(std::uint32_t seed);

/// Calls `thread` once per thread of the grid. Throws Deadlock; what a thread throws ends the launch.
void launch(Index grid, Index block, const std::function<void()>& thread);

/// Barriers, called by threads.
void meetBlock();
void meetWarp();

unsigned lane();      ///< of the running thread, 0 to 31
unsigned warpLanes(); ///< threads of its warp; less than 32 at the end of a block

/// Memory of the running thread's warp, through which its lanes see each other: written, then meetWarp, then
/// read, then meetWarp.
inline constexpr unsigned kWarpWords = 768;
std::uint32_t* warpScratch();

/// Blocks run since the start, so that a test can tell that kernels ran at all.
std::uint64_t blocksRun();

} // namespace cuda_on_cpu
