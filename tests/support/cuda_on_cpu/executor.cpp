#include "cuda_on_cpu/executor.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <numeric>
#include <random>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/context/fiber.hpp>
#include <boost/context/fixedsize_stack.hpp>

#include "cuda_on_cpu/cuda_runtime.h"

// ASan follows only the stacks it is told of.
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

cuda_on_cpu::Index threadIdx, blockIdx, blockDim, gridDim;

namespace cuda_on_cpu {
namespace {

namespace context = boost::context;

constexpr unsigned kWarp = 32;
constexpr std::size_t kStackBytes = 128 * 1024;

/// Stacks outlive their fibers: a block needs as many as the one before.
class Stacks {
public:
    context::stack_context take() {
        if (m_free.empty()) return context::fixedsize_stack(kStackBytes).allocate();
        const context::stack_context s = m_free.back();
        m_free.pop_back();
        return s;
    }
    void give(const context::stack_context& s) { m_free.push_back(s); }
    ~Stacks() {
        for (context::stack_context& s : m_free) context::fixedsize_stack(kStackBytes).deallocate(s);
    }

private:
    std::vector<context::stack_context> m_free;
};

Stacks g_stacks;

/// By the top of a stack: what ASan keeps its locals in. To make one for every fiber takes longer than the
/// fiber runs.
std::unordered_map<void*, void*> g_fakeStacks;

struct PooledStack {
    context::stack_context allocate() { return g_stacks.take(); }
    void deallocate(context::stack_context& s) { g_stacks.give(s); }
};

enum class Waits : std::uint8_t { no, forBlock, forWarp };

struct Thread {
    Index index;
    context::fiber fiber;
    Waits waits = Waits::no;
    bool done = false;
    void* fakeStack = nullptr; ///< null: ASan makes one
    void* stackTop = nullptr;
    const void* stackBottom = nullptr;
};

struct Block {
    std::vector<Thread> threads;
    std::vector<std::uint32_t> scratch; ///< of all warps
    unsigned current = 0;
    context::fiber scheduler;
    std::exception_ptr failure;
    void* fakeStack = nullptr; ///< of the scheduler
    const void* bottom = nullptr;
    std::size_t size = 0;
};

Block* g_block = nullptr;
std::uint32_t g_seed = 1;
std::uint64_t g_blocksRun = 0;

void enterThread(Block& b, [[maybe_unused]] Thread& t) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(t.fakeStack, &b.bottom, &b.size);
#else
    (void)b;
#endif
}

/// From a thread to the scheduler.
void leaveThread([[maybe_unused]] Block& b, [[maybe_unused]] Thread& t) {
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(&t.fakeStack, b.bottom, b.size);
#endif
}

void resume(Block& b, unsigned i) {
    Thread& t = b.threads[i];
    b.current = i;
    threadIdx = t.index;
    t.waits = Waits::no;
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_start_switch_fiber(&b.fakeStack, t.stackBottom, kStackBytes);
#endif
    t.fiber = std::move(t.fiber).resume();
#ifdef __SANITIZE_ADDRESS__
    __sanitizer_finish_switch_fiber(b.fakeStack, nullptr, nullptr);
    if (t.done) g_fakeStacks[t.stackTop] = t.fakeStack;
#endif
}

void wait(Waits what) {
    Block& b = *g_block;
    Thread& t = b.threads[b.current];
    t.waits = what;
    leaveThread(b, t);
    b.scheduler = std::move(b.scheduler).resume();
    enterThread(b, t);
}

void prepare(Block& b, Index block, const std::function<void()>& body) {
    const unsigned n = block.x * block.y * block.z;
    b.threads.resize(n);
    b.scratch.assign(std::size_t{(n + kWarp - 1) / kWarp} * kWarpWords, 0);
    for (unsigned i = 0; i < n; ++i) {
        Thread& t = b.threads[i];
        t.index = {i % block.x, i / block.x % block.y, i / (block.x * block.y)};
        const context::stack_context stack = g_stacks.take();
        t.stackTop = stack.sp;
        t.stackBottom = static_cast<const char*>(stack.sp) - stack.size;
        if (const auto kept = g_fakeStacks.find(stack.sp); kept != g_fakeStacks.end())
            t.fakeStack = std::exchange(kept->second, nullptr); // of a thread that is given up it is lost
        t.fiber = context::fiber(std::allocator_arg, context::preallocated(stack.sp, stack.size, stack),
                                 PooledStack{}, [&b, &t, &body](context::fiber&& from) {
                                     b.scheduler = std::move(from);
                                     enterThread(b, t);
                                     try {
                                         body();
                                     } catch (const context::detail::forced_unwind&) {
                                         throw; // the launch was given up
                                     } catch (...) {
                                         if (!b.failure) b.failure = std::current_exception();
                                     }
                                     t.done = true;
                                     leaveThread(b, t);
                                     return std::move(b.scheduler);
                                 });
    }
}

/// Lets warps go whose living threads all wait for their warp.
bool openWarps(Block& b) {
    bool any = false;
    for (std::size_t w = 0; w < b.threads.size(); w += kWarp) {
        const auto first = b.threads.begin() + static_cast<std::ptrdiff_t>(w);
        const auto last =
            b.threads.begin() + static_cast<std::ptrdiff_t>(std::min(b.threads.size(), w + kWarp));
        const bool living = std::any_of(first, last, [](const Thread& t) { return !t.done; });
        const bool all =
            std::all_of(first, last, [](const Thread& t) { return t.done || t.waits == Waits::forWarp; });
        if (!living || !all) continue;
        for (auto t = first; t != last; ++t) t->waits = Waits::no;
        any = true;
    }
    return any;
}

[[noreturn]] void reportDeadlock(const Block& b) {
    unsigned block = 0, warp = 0, first = 0;
    for (unsigned i = 0; i < b.threads.size(); ++i) {
        const Thread& t = b.threads[i];
        if (t.done) continue;
        if (block + warp == 0) first = i;
        ++(t.waits == Waits::forBlock ? block : warp);
    }
    throw Deadlock("deadlock in block (" + std::to_string(blockIdx.x) + ", " + std::to_string(blockIdx.y) +
                   ", " + std::to_string(blockIdx.z) + "): " + std::to_string(block) +
                   " threads wait for the block and " + std::to_string(warp) +
                   " for their warp, the first is thread " + std::to_string(first));
}

/// Whether anything is left to run. All barriers that can open have been opened.
bool openBarriers(Block& b) {
    if (openWarps(b)) return true;
    const bool living =
        std::any_of(b.threads.begin(), b.threads.end(), [](const Thread& t) { return !t.done; });
    if (!living) return false;
    const bool all = std::all_of(b.threads.begin(), b.threads.end(),
                                 [](const Thread& t) { return t.done || t.waits == Waits::forBlock; });
    if (!all) reportDeadlock(b);
    for (Thread& t : b.threads) t.waits = Waits::no;
    return true;
}

void runBlock(Index block, const std::function<void()>& body, std::mt19937& random) {
    Block b;
    g_block = &b;
    prepare(b, block, body);
    std::vector<unsigned> order(b.threads.size());
    std::iota(order.begin(), order.end(), 0u);
    do {
        std::shuffle(order.begin(), order.end(), random);
        for (unsigned i : order)
            if (!b.threads[i].done && b.threads[i].waits == Waits::no) resume(b, i);
        if (b.failure) break;
    } while (openBarriers(b));
    g_block = nullptr;
    ++g_blocksRun;
    if (b.failure) std::rethrow_exception(b.failure);
}

} // namespace

void useOrder(std::uint32_t seed) {
    g_seed = seed;
}

void launch(Index grid, Index block, const std::function<void()>& thread) {
    std::mt19937 random(g_seed);
    gridDim = grid;
    blockDim = block;
    for (unsigned z = 0; z < grid.z; ++z)
        for (unsigned y = 0; y < grid.y; ++y)
            for (unsigned x = 0; x < grid.x; ++x) {
                blockIdx = {x, y, z};
                runBlock(block, thread, random);
            }
}

void meetBlock() {
    wait(Waits::forBlock);
}
void meetWarp() {
    wait(Waits::forWarp);
}
unsigned lane() {
    return g_block->current % kWarp;
}
unsigned warpLanes() {
    const std::size_t first = g_block->current / kWarp * kWarp;
    return static_cast<unsigned>(std::min<std::size_t>(kWarp, g_block->threads.size() - first));
}
std::uint32_t* warpScratch() {
    return &g_block->scratch[std::size_t{g_block->current / kWarp} * kWarpWords];
}
std::uint64_t blocksRun() {
    return g_blocksRun;
}

} // namespace cuda_on_cpu
