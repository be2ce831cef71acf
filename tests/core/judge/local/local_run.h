#pragma once
#include <cstdlib>

#include "core/lower/passes/pass_run.h"
#include "effort.h"
#include "judge/local/residual.h"

namespace divdet::test {

/// Seeds per honest configuration: DIVDET_SEEDS, or a few, so that the figures over 200 seeds can be had
/// without every run of the tests paying for them.
inline int honestSeeds(int usual) {
    const char* text = std::getenv("DIVDET_SEEDS");
    return text ? std::max(1, std::atoi(text)) : effort(usual, 1);
}

inline numerics::Arch archOf(const run::DeviceId& device) {
    return device == "cpu:sm_90"    ? numerics::Arch::sm90
           : device == "cpu:sm_100" ? numerics::Arch::sm100
           : device == "cpu:sm_89"  ? numerics::Arch::sm89
                                    : numerics::Arch::sm80;
}

/// Sizes at which a block runs in milliseconds, for those of its dimensions that are not fixed.
inline block::DimValues smallSizes(const block::Graph& g) {
    block::DimValues out;
    for (const auto& d : g.dims) {
        if (d.fixed) continue;
        if (d.name == "tokens") out[d.name] = g.name == "lm" ? 128 : 16;
        if (d.name == "width") out[d.name] = 64;
        if (d.name == "hidden") out[d.name] = 128;
    }
    return out;
}

/// A run with `faults` on top of the declared passes, judged op by op.
inline std::vector<local::OpResidual> residuals(PassRun& r, const PassRun::Passes& declared,
                                                const PassRun::Passes& faults = {},
                                                local::Order order = local::Order::known) {
    auto all = declared;
    all.insert(all.end(), faults.begin(), faults.end());
    const auto lowered = r.lowered(declared);
    const auto taps = r.run(all);
    auto out = local::localResiduals({lowered, r.inputs.tensors, taps, archOf(r.device), order});
    EXPECT_TRUE(out.ok()) << out.error().text();
    return std::move(*out);
}

/// Name of the first op with an element beyond its bound; "-" for none.
inline std::string firstBeyond(const std::vector<local::OpResidual>& all) {
    for (const auto& r : all)
        if (r.score.beyond > 0) return r.op;
    return "-";
}

} // namespace divdet::test
