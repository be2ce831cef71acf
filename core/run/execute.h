#pragma once
#include "base/progress.h"
#include "base/result.h"
#include "lower/lowered.h"
#include "run/backend.h"
#include "run/inputs.h"
#include "run/op_cache.h"
#include "run/taps.h"

namespace divdet::run {

/// Where to run. `cache` may be null.
struct Target {
    Backend& backend;
    DeviceId device;
    OpCache* cache = nullptr;
};

/// Runs the ops in order and keeps every tap. Reports ops done; errors are the backend's, with the op's name
/// as path where it gave none, cancelled between ops, internal when a backend breaks its contract, and
/// unsupported or assertion for an op whose slots say that it raises.
Result<Taps> execute(const lower::LoweredGraph& graph, const Inputs& inputs, const Target& target,
                     const Progress& progress = {});

} // namespace divdet::run
