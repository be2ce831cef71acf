// What all findings of a pair cost against its full summary, on honest pairs, which is what most pairs are.
// The ratio counts, not the seconds: repetitions are interleaved and the best of each is taken.
#include <chrono>
#include <cstdio>
#include <limits>
#include <random>

#include "compare/scan.h"
#include "judge/find_causes.h"

namespace divdet {
namespace {

using Clock = std::chrono::steady_clock;

/// f32 numbers of a normal distribution, and the same with noise of the size that TF32 operands make.
std::pair<Tensor, Tensor> honestPair(std::int64_t rows, std::int64_t columns) {
    std::mt19937 engine(1);
    std::normal_distribution<float> d;
    TensorBuilder r(DType::f32, {rows, columns}), c(DType::f32, {rows, columns});
    auto rs = r.as<float>();
    auto cs = c.as<float>();
    for (std::size_t i = 0; i < rs.size(); ++i) {
        rs[i] = d(engine);
        cs[i] = rs[i] + 0x1p-12f * d(engine);
    }
    return {std::move(r).finish(), std::move(c).finish()};
}

double secondsOf(const auto& work) {
    const auto start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void measure(std::int64_t rows, std::int64_t columns, const char* declare) {
    const auto [r, c] = honestPair(rows, columns);
    JudgeContext context;
    context.declared = *Declared::parse(declare);
    double full = std::numeric_limits<double>::infinity(), findings = full;
    PairCauses causes;
    for (int round = 0; round < 5; ++round) {
        Summary summary;
        full = std::min(full, secondsOf([&] { summary = *scan(r.view(), c.view(), {}); }));
        findings = std::min(findings, secondsOf([&] {
                                causes = judgePair({r.view(), c.view(), std::nullopt, summary, {}, context});
                            }));
    }
    std::printf("%6lld x %-6lld declared %-6s summary %7.1f ms  findings %7.1f ms  ratio %5.2f  class %s\n",
                static_cast<long long>(rows), static_cast<long long>(columns), *declare ? declare : "-",
                1e3 * full, 1e3 * findings, findings / full, std::string(toString(causes.pairClass)).c_str());
}

} // namespace
} // namespace divdet

int main() {
    for (const char* declare : {"", "tf32"}) {
        divdet::measure(4096, 4096, declare);
        divdet::measure(512, 512, declare);
        divdet::measure(64, 64, declare);
    }
}
