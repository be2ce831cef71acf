#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>

#include "base/result.h"
#include "host/gemm.h"
#include "run/racing_backend.h"

/// Sums left to chance, as a GPU's atomic additions leave them: threads that start together take the parts
/// of a sum one after the other and add each to its output with an atomic addition as soon as they have it.
/// Which part comes first is decided by the machine, so bits may differ from call to call; that is the
/// purpose, and the only place of this folder where they may. With one thread the parts come in increasing
/// order.
namespace divdet::host {

/// Who adds: so many threads, the calling one among them, made by `make` (which throws std::system_error
/// where the machine has no more). A race in which one cannot be made, or which runs out of memory, is an
/// error of the code refused, with all its threads joined; what the sums hold then is undefined.
struct RacingThreads {
    using Make = std::function<std::jthread(std::function<void()> work)>;

    int count = 1;
    Make make = [](std::function<void()> work) { return std::jthread(std::move(work)); };
};

inline constexpr int kMostRacingThreads = 1024;

/// Threads that race: those asked for, or the machine's, at least two.
int racingThreads(const run::RaceOptions& options);

/// x is added to `sum` by one atomic step: read, add rounded to nearest even, and write only if nobody wrote
/// meanwhile, else again. Returns how often it had to be done again.
inline std::int64_t addAtomically(float& sum, float x) {
    const std::atomic_ref<float> target(sum);
    std::int64_t retries = 0;
    float seen = target.load(std::memory_order_relaxed);
    while (!target.compare_exchange_weak(seen, seen + x, std::memory_order_relaxed)) ++retries;
    return retries;
}

/// out[targets[i]] += row i of source, for `rows` rows of `width` values; a part is one row's values. `out`
/// starts as it is given, mostly zeros.
Status raceScatterRows(const float* source, const std::size_t* targets, std::size_t rows, std::size_t width,
                       float* out, const RacingThreads& threads, run::RaceSeen& seen);

/// sums[r] += the sum of row r; the parts are the chunks of splitK (numerics/reduction.h), each a chain.
/// Terms from `kept` on are left out.
Status raceSumRows(const float* x, std::size_t rows, std::size_t width, std::size_t kept, std::size_t splits,
                   float* sums, const RacingThreads& threads, run::RaceSeen& seen);

/// c += A B; `part(i, partial)` computes chunk i of `chunks` into size values, in the thread that calls it
/// and on no other.
Status raceChunks(std::size_t chunks, std::size_t size, const void* context,
                  void (*part)(const void* context, std::size_t chunk, float* partial), float* c,
                  const RacingThreads& threads, run::RaceSeen& seen);

} // namespace divdet::host
