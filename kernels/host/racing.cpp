#include "host/racing.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <optional>
#include <vector>

#include <fmt/format.h>
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

/// Where threads wait, ready to run, until all are here. Sleeping threads would be woken one after the other,
/// and the first to wake could be done before the last has begun. False: one never comes.
class StartLine {
public:
    explicit StartLine(std::size_t count)
        : m_missing(count) {}

    bool wait() {
        m_missing.fetch_sub(1);
        while (m_missing.load() > 0 && !m_calledOff.load()) std::this_thread::yield();
        return !m_calledOff.load();
    }
    void callOff() { m_calledOff.store(true); }

private:
    std::atomic<std::size_t> m_missing;
    std::atomic<bool> m_calledOff{false};
};

/// The first thing that went wrong in any thread; an exception that left a thread would end the program.
class FirstFailure {
public:
    void set(Error e) {
        const std::lock_guard lock(m_mutex);
        if (!m_error) m_error = std::move(e);
        m_any.store(true);
    }
    bool any() const { return m_any.load(std::memory_order_relaxed); }
    Status status() const { return m_error ? Status(*m_error) : Status(Done{}); }

private:
    std::mutex m_mutex;
    std::atomic<bool> m_any{false};
    std::optional<Error> m_error;
};

Error noThread(std::size_t made, std::size_t count, const std::exception& e) {
    return {ErrorCode::refused, fmt::format("only {} of {} threads could be made: {}", made, count, e.what()),
            "", "let fewer threads race (--threads), or end other programs"};
}

Error failed(const std::exception& e) {
    const bool memory = dynamic_cast<const std::bad_alloc*>(&e) != nullptr;
    return {memory ? ErrorCode::refused : ErrorCode::internal,
            memory ? "there is not enough memory for the parts of the sums"
                   : fmt::format("a racing thread failed: {}", e.what()),
            "", memory ? "let fewer threads race (--threads), or make the block smaller" : ""};
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
Status race(std::size_t tasks, const RacingThreads& threads, run::RaceSeen& seen, const Work& work) {
    const auto count = static_cast<std::size_t>(std::max(1, threads.count));
    std::vector<OneThread> all(count);
    std::atomic<std::size_t> next{0};
    StartLine line(count);
    FirstFailure failure;
    const auto one = [&](std::size_t which) {
        OneThread self; // on the thread's own stack: neighbours in `all` share a cache line
        if (!line.wait()) return;
        self.begin = Clock::now();
        try {
            for (std::size_t t = next.fetch_add(1); t < tasks && !failure.any();
                 t = next.fetch_add(1), ++self.tasks)
                work(t, self);
        } catch (const std::exception& e) {
            failure.set(failed(e));
        }
        self.end = Clock::now();
        all[which] = std::move(self);
    };
    {
        std::vector<std::jthread> others;
        others.reserve(count - 1); // what throws before a thread waits leaves nobody waiting
        try {
            for (std::size_t i = 1; i < count; ++i) others.push_back(threads.make([&one, i] { one(i); }));
        } catch (const std::exception& e) {
            line.callOff();
            failure.set(noThread(others.size() + 1, count, e));
        }
        one(0);
    } // joined
    if (auto s = failure.status(); !s) return s;
    seen.add(seenOf(all));
    return Done{};
}

void add(float& sum, float x, OneThread& self) {
    self.retries += addAtomically(sum, x);
    ++self.additions;
}

} // namespace

int racingThreads(const run::RaceOptions& options) {
    return options.threads > 0 ? options.threads : std::max(2, static_cast<int>(threadCount()));
}

Status raceScatterRows(const float* source, const std::size_t* targets, std::size_t rows, std::size_t width,
                       float* out, const RacingThreads& threads, run::RaceSeen& seen) {
    return race(rows, threads, seen, [&](std::size_t row, OneThread& self) {
        const float* from = source + row * width;
        float* to = out + targets[row] * width;
        for (std::size_t j = 0; j < width; ++j) add(to[j], from[j], self);
    });
}

Status raceSumRows(const float* x, std::size_t rows, std::size_t width, std::size_t kept, std::size_t splits,
                   float* sums, const RacingThreads& threads, run::RaceSeen& seen) {
    const std::size_t length = numerics::chunkLength(kept, splits);
    const std::size_t chunks = length ? (kept + length - 1) / length : 0;
    return race(rows * chunks, threads, seen, [&](std::size_t task, OneThread& self) {
        const std::size_t row = task / chunks, first = task % chunks * length;
        const numerics::SumTerms terms{x + row * width};
        add(sums[row], numerics::chain(terms, first, std::min(kept, first + length), 1, 0.0f), self);
    });
}

Status raceChunks(std::size_t chunks, std::size_t size, const void* context,
                  void (*part)(const void* context, std::size_t chunk, float* partial), float* c,
                  const RacingThreads& threads, run::RaceSeen& seen) {
    return race(chunks, threads, seen, [&](std::size_t chunk, OneThread& self) {
        self.memory.resize(size);
        float* const partial = self.memory.data();
        // An arena of one: kernels that share their work among TBB's threads keep it in this one.
        tbb::task_arena(1).execute([&] { part(context, chunk, partial); });
        for (std::size_t i = 0; i < size; ++i) add(c[i], partial[i], self);
    });
}

} // namespace divdet::host
