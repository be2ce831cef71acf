#pragma once
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "block/presets.h"
#include "host/gemm.h"
#include "host/twin_backend.h"
#include "lower/lower.h"
#include "run/reference.h"
#include "run/replay.h"

namespace divdet::test {

using Floats = std::vector<float>;

inline Floats floats(const Tensor& t) {
    const auto s = t.as<float>();
    return {s.begin(), s.end()};
}

/// y = x w, the smallest block with a product.
inline block::Graph productGraph(std::int64_t m, std::int64_t k, std::int64_t n, double weightSigma = 1) {
    block::Graph g;
    g.name = "product";
    const auto x = g.addInput("x", {m, k});
    const auto w = g.addWeight("w", {k, n}, {block::FillKind::normal, weightSigma});
    g.markOutput(g.addOp(block::OpKind::matmul, "y", {x, w}));
    return g;
}

/// One block with its inputs, run on the CPU twin with passes given as text.
class PassRun {
public:
    using Passes = std::vector<std::string>;

    explicit PassRun(const block::Graph& g, const block::DimValues& dims = {}, std::uint64_t withSeed = 7)
        : block(*block::bind(g, dims))
        , seed(withSeed)
        , inputs(*run::makeInputs(block, seed)) {}
    explicit PassRun(const char* preset, const block::DimValues& dims = {})
        : PassRun(*block::preset(preset), dims) {}

    static std::vector<lower::PassChoice> choices(const Passes& passes) {
        std::vector<lower::PassChoice> all;
        for (const auto& p : passes) all.push_back(*lower::parsePass(p));
        return all;
    }
    Status fit(const std::string& pass) const { return lower::checkFit(block, *lower::parsePass(pass)); }
    lower::LoweredGraph lowered(const Passes& passes, std::uint64_t runNumber = 0) const {
        auto g = lower::lower(block, choices(passes), runNumber);
        EXPECT_TRUE(g.ok()) << g.error().text();
        return std::move(*g);
    }
    std::string slots(const Passes& passes, std::string_view op) const {
        for (const auto& o : lowered(passes).ops)
            if (o.name == op) return toString(o.slots);
        return "no such op";
    }
    Result<run::Taps> tryRun(const Passes& passes, std::uint64_t runNumber = 0) {
        return run::runProgram(lowered(passes, runNumber), inputs, seed, {twin, device, cache});
    }
    run::Taps run(const Passes& passes, std::uint64_t runNumber = 0) {
        auto taps = tryRun(passes, runNumber);
        EXPECT_TRUE(taps.ok()) << taps.error().text();
        return std::move(*taps);
    }
    Tensor tensor(const Passes& passes, const char* tap, std::uint64_t runNumber = 0) {
        return run(passes, runNumber).find(tap)->tensor;
    }
    Floats tap(const Passes& passes, const char* name, std::uint64_t runNumber = 0) {
        return floats(tensor(passes, name, runNumber));
    }
    Floats given(const char* name) const { return floats(inputs.tensors[*block.graph.find(name)]); }
    void give(const char* name, const Floats& values) {
        const auto at = *block.graph.find(name);
        inputs.tensors[at] = tensorOf<float>(DType::f32, block.shapes[at], values);
    }

    block::BoundGraph block;
    std::uint64_t seed;
    run::Inputs inputs;
    host::TwinBackend twin;
    run::DeviceId device = "cpu:sm_80";
    run::OpCache* cache = nullptr;
};

/// Row i of x times column j of w, terms [first, last) in one fma chain from `start`.
inline float chain(const Floats& x, const Floats& w, std::size_t k, std::size_t n, std::size_t i,
                   std::size_t j, std::size_t first, std::size_t last, float start = 0) {
    for (std::size_t t = first; t < last; ++t) start = std::fma(x[i * k + t], w[t * n + j], start);
    return start;
}

inline float largest(const Floats& x, std::size_t first, std::size_t count, std::size_t stride) {
    float most = 0;
    for (std::size_t i = 0; i < count; ++i) most = std::max(most, std::fabs(x[first + i * stride]));
    return most;
}

} // namespace divdet::test
