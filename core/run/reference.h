#pragma once
#include "run/execute.h"

namespace divdet::run {

/// The block in fp64 on the exact fp32 inputs and weights, by core's own definitions (OpDef::reference64).
/// Op outputs are f64, inputs stay f32. `cache` may be null.
Result<Taps> reference64(const block::BoundGraph& block, const Inputs& inputs, OpCache* cache = nullptr,
                         const Progress& progress = {});

/// The block as written on the same device: fp32 in the published order, no pass on.
Result<Taps> reference32(const block::BoundGraph& block, const Inputs& inputs, const Target& target,
                         const Progress& progress = {});

} // namespace divdet::run
