#include "host/racing.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include <tbb/task_arena.h>

#include "host/parallel.h"

namespace divdet::host {
namespace {

using Clock = std::chrono::steady_clock;

struct OneThread {
    Clock::time_point begin, end;
    std::int64_t tasks = 0, additions = 0, retries = 0;
    std::vector<float> memory; ///< for a part that is computed before it is added
};

/// Waits, ready to run, until `count` threads are here. Sleeping threads would be woken one after the other,
/// and the first to wake could be done before the last has begun.
void startTogether(std::atomic<std::size_t>& here, std::size_t count) {
    here.fetch_add(1);
    while (here.load() < count) std::this_thread::yield();
}

bool overlap(const OneThread& a, const OneThread& b) {
    return a.tasks > 0 && b.tasks > 0 && a.begin < b.end && b.begin < a.end;
}

run::RaceSeen seenOf(const std::vector<OneThread>& all) {
    run::RaceSeen seen{static_cast<int>(all.size()), 1};
    for (std::size_t i = 0; i < all.size(); ++i) {
        seen.additions += all[i].additions;
        seen.retries += all[i].retries;
        for (std::size_t j = 0; j < i; ++j)
            if (overlap(all[i], all[j])) seen.overlapping = 1;
    }
    return seen;
}

/// Calls work(task, self) for every task, each in the thread that comes first.
template <class Work>
void race(std::size_t tasks, int threads, run::RaceSeen& seen, const Work& work) {
    const auto count = static_cast<std::size_t>(std::max(1, threads));
    std::vector<OneThread> all(count);
    std::atomic<std::size_t> next{0}, here{0};
    const auto one = [&](std::size_t which) {
        OneThread self; // on the thread's own stack: neighbours in `all` share a cache line
        startTogether(here, count);
        self.begin = Clock::now();
        for (std::size_t t = next.fetch_add(1); t < tasks; t = next.fetch_add(1), ++self.tasks) work(t, self);
        self.end = Clock::now();
        all[which] = std::move(self);
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t i = 1; i < count; ++i) others.emplace_back(one, i);
        one(0);
    }
    seen.add(seenOf(all));
}

void add(float& sum, float x, OneThread& self) {
    self.retries += addAtomically(sum, x);
    ++self.additions;
}

} // namespace

int racingThreads(const run::RaceOptions& options) {
    return options.threads > 0 ? options.threads : std::max(2, static_cast<int>(threadCount()));
}

void raceScatterRows(const float* source, const std::size_t* targets, std::size_t rows, std::size_t width,
                     float* out, int threads, run::RaceSeen& seen) {
    race(rows, threads, seen, [&](std::size_t row, OneThread& self) {
        const float* from = source + row * width;
        float* to = out + targets[row] * width;
        for (std::size_t j = 0; j < width; ++j) add(to[j], from[j], self);
    });
}

void raceSumRows(const float* x, std::size_t rows, std::size_t width, std::size_t kept, std::size_t splits,
                 float* sums, int threads, run::RaceSeen& seen) {
    const std::size_t length = numerics::chunkLength(kept, splits);
    const std::size_t chunks = length ? (kept + length - 1) / length : 0;
    race(rows * chunks, threads, seen, [&](std::size_t task, OneThread& self) {
        const std::size_t row = task / chunks, first = task % chunks * length;
        const numerics::SumTerms terms{x + row * width};
        add(sums[row], numerics::chain(terms, first, std::min(kept, first + length), 1, 0.0f), self);
    });
}

void raceChunks(std::size_t chunks, std::size_t size, const void* context,
                void (*part)(const void* context, std::size_t chunk, float* partial), float* c, int threads,
                run::RaceSeen& seen) {
    race(chunks, threads, seen, [&](std::size_t chunk, OneThread& self) {
        self.memory.resize(size);
        float* const partial = self.memory.data();
        // An arena of one: kernels that share their work among TBB's threads keep it in this one.
        tbb::task_arena(1).execute([&] { part(context, chunk, partial); });
        for (std::size_t i = 0; i < size; ++i) add(c[i], partial[i], self);
    });
}

} // namespace divdet::host
