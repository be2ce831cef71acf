// One table: the scan against a plain sum over both arrays and against numpy, on the same data in one run.
// The ratios count, not the seconds: repetitions are interleaved and the best of each is taken, so that other
// work on the machine hits all rows alike.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include "compare/scan.h"
#include "compare/verdict.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

using Clock = std::chrono::steady_clock;

/// Rounds of 2^20 different values fill any size: what the loops see is as random, and making it is quick.
std::pair<Tensor, Tensor> pairOfTensors(DType t, std::int64_t n) {
    constexpr std::size_t kRound = 1 << 20;
    std::mt19937 engine(1);
    std::normal_distribution<double> d;
    std::vector<double> r(kRound), c(kRound);
    for (std::size_t i = 0; i < kRound; ++i) {
        r[i] = d(engine);
        c[i] = r[i] * (1 + (t == DType::f32 || t == DType::f64 ? 1e-6 : 2e-3) * d(engine));
    }
    const auto repeated = [&](const std::vector<double>& values) {
        const Tensor round =
            *converted(tensorOf<double>(DType::f64, {static_cast<std::int64_t>(kRound)}, values), t);
        const std::int64_t columns = n % 4096 ? 1000 : 4096;
        TensorBuilder b(t, {n / columns, columns});
        const std::size_t size = kRound * itemSize(t);
        auto bytes = b.bytes();
        for (std::size_t at = 0; at < bytes.size(); at += size)
            std::copy_n(round.view().data, std::min(size, bytes.size() - at), bytes.data() + at);
        return std::move(b).finish();
    };
    return {repeated(r), repeated(c)};
}

/// Every byte of both arrays once, on all cores, as wide as the compiler makes it: the memory's own speed.
double plainSum(const Tensor& a, const Tensor& b) {
    const std::size_t words = static_cast<std::size_t>(a.elements()) * itemSize(a.dtype()) / 4;
    const auto* x = reinterpret_cast<const float*>(a.view().data);
    const auto* y = reinterpret_cast<const float*>(b.view().data);
    return tbb::parallel_reduce(
        tbb::blocked_range<std::size_t>(0, words, 1 << 17), 0.0,
        [&](const auto& range, double total) {
            constexpr std::size_t kLanes = 64; // independent sums, so that adding never waits
            float lanes[kLanes] = {};
            std::size_t i = range.begin();
            for (; i + kLanes <= range.end(); i += kLanes)
                for (std::size_t k = 0; k < kLanes; ++k) lanes[k] += x[i + k] + y[i + k];
            for (; i < range.end(); ++i) lanes[0] += x[i] + y[i];
            for (float lane : lanes) total += static_cast<double>(lane);
            return total;
        },
        std::plus<>());
}

struct Row {
    std::string name;
    std::function<void()> work;
    double best = std::numeric_limits<double>::infinity();
    void run() {
        const auto start = Clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
};

/// Best seconds of numpy (and torch, where there is one) on the same bytes, from one run of Python.
struct PythonTimes {
    double allclose = 0, assertAllclose = 0, torch = 0;
};
PythonTimes python(const Tensor& r, const Tensor& c, int repetitions) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / fmt::format("divdet-bench-{}", std::rand());
    fs::create_directories(folder);
    const auto save = [&](const Tensor& t, const char* file) {
        std::ofstream(folder / file, std::ios::binary)
            .write(
                reinterpret_cast<const char*>(t.view().data),
                static_cast<std::streamsize>(static_cast<std::size_t>(t.elements()) * itemSize(t.dtype())));
    };
    save(r, "r.bin");
    save(c, "c.bin");
    std::ofstream(folder / "bench.py") << fmt::format(R"(import time, numpy as np
r, c = (np.fromfile(r'{}/' + f, dtype='{}') for f in ('r.bin', 'c.bin'))
def best(f):
    b = 1e9
    for _ in range({}):
        t = time.perf_counter(); f(); b = min(b, time.perf_counter() - t)
    return b
print(best(lambda: np.allclose(c, r, rtol=1e-2, atol=1e-3)),
      best(lambda: np.testing.assert_allclose(c, r, rtol=1e-2, atol=1e-3)), end=' ')
try:
    import torch
    a, b = torch.from_numpy(c), torch.from_numpy(r)
    print(best(lambda: torch.allclose(a, b, rtol=1e-2, atol=1e-3)))
except ImportError:
    print(0)
)",
                                                      folder.string(),
                                                      r.dtype() == DType::f64   ? "f8"
                                                      : r.dtype() == DType::f16 ? "f2"
                                                                                : "f4",
                                                      repetitions);
    PythonTimes times;
    if (FILE* pipe = popen(("/usr/bin/python3 " + (folder / "bench.py").string()).c_str(), "r")) {
        if (std::fscanf(pipe, "%lf %lf %lf", &times.allclose, &times.assertAllclose, &times.torch) != 3)
            times = {};
        pclose(pipe);
    }
    fs::remove_all(folder);
    return times;
}

/// A line of /proc/self/status, in KiB.
long statusKilobytes(const std::string& key) {
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with(key)) return std::atol(line.c_str() + key.size() + 1);
    return 0;
}

/// Most memory that `work` holds beyond what was there before it.
double extraMegabytes(const std::function<void()>& work) {
    std::ofstream("/proc/self/clear_refs") << "5"; // the peak counts anew
    const long before = statusKilobytes("VmRSS");
    work();
    return static_cast<double>(statusKilobytes("VmHWM") - before) / 1024;
}

void table(DType t, std::int64_t n, int repetitions, bool withPython) {
    const auto [r, c] = pairOfTensors(t, n);
    const Tolerance tolerance{Rule::allclose, 1e-2, 1e-3, false};
    double sink = 0;
    Summary summary;
    std::vector<Row> rows{
        {"plain sum", [&] { sink += plainSum(r, c); }},
        {"verdict pass",
         [&] {
             summary = *scan(r.view(), c.view(), {tolerance, false, ScanDepth::verdict, {}});
         }},
        {"full summary",
         [&] {
             summary = *scan(r.view(), c.view(), {tolerance, true, ScanDepth::full, {}});
         }},
        {"recount", [&] { sink += static_cast<double>(recount(r.view(), c.view(), tolerance)->mismatches); }},
    };
    for (int i = 0; i < repetitions; ++i)
        for (Row& row : rows) row.run();
    const double extra = extraMegabytes(rows[2].work);
    // Moves across the frontier, where it is hardest to tell.
    const double need = summary.frontier.neededAtol(Rule::allclose, 1e-7);
    Row slider{"slider, 100 moves", [&] {
                   for (int i = 0; i < 100; ++i)
                       sink += static_cast<double>(
                           judge(summary, {Rule::allclose, 1e-7, need * (0.5 + 0.01 * i), false}).verdict);
               }};
    for (int i = 0; i < 5; ++i) slider.run();
    const bool numpyKnows = t != DType::bf16; // as f32 it would read other bytes
    const PythonTimes py = withPython && numpyKnows ? python(r, c, 3) : PythonTimes{};
    const double bytes = 2.0 * static_cast<double>(n) * static_cast<double>(itemSize(t));
    const double sum = rows[0].best;
    const auto print = [&](const std::string& what, double seconds) {
        if (seconds <= 0) return;
        const auto times = [&](double other) {
            return other > 0 ? fmt::format("{:8.1f}", other / seconds) : "       -";
        };
        fmt::print("{:5} {:>11} {:20} {:8.2f} {:9.3f} {:8.1f} {} {} {}\n", name(t), n, what,
                   bytes / seconds / 1e9, seconds / static_cast<double>(n) * 1e9, 100 * sum / seconds,
                   times(py.allclose), times(py.assertAllclose), times(py.torch));
    };
    for (const Row& row : rows) print(row.name, row.best);
    print("numpy.allclose", py.allclose);
    print("assert_allclose", py.assertAllclose);
    print("torch.allclose", py.torch);
    fmt::print("{:5} {:>11} one slider move {:.3f} us, extra memory {:.1f} MB{}\n", name(t), n,
               slider.best * 1e4, extra, sink == 0 ? " " : "");
    std::fflush(stdout);
}

} // namespace
} // namespace divdet

/// Arguments: repetitions (7), then sizes (all of the table).
int main(int argc, char** argv) {
    using divdet::DType;
    const int repetitions = argc > 1 ? std::atoi(argv[1]) : 7;
    std::vector<std::int64_t> sizes;
    for (int i = 2; i < argc; ++i) sizes.push_back(std::atoll(argv[i]));
    if (sizes.empty()) sizes = {1'000'000, 16'777'216, 67'108'864, 250'000'000};
    fmt::print("{:5} {:>11} {:20} {:>8} {:>9} {:>8} {:>8} {:>8} {:>8}\n", "dtype", "elements", "", "GB/s",
               "ns/el", "% of sum", "x allcl.", "x assert", "x torch");
    for (DType t : {DType::f32, DType::bf16, DType::f16, DType::f64})
        for (std::int64_t n : sizes) divdet::table(t, n, repetitions, n <= 70'000'000);
}
