#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.h"

namespace divdet::run {

struct Tap {
    std::string name;
    std::string kind; ///< name of the op that made it; `input` for the block's inputs
    Tensor tensor;
};

/// What a run shows: inputs, then every value a kernel wrote, in depth order.
struct Taps {
    std::vector<Tap> taps;
    std::vector<std::string> fusedAway;     ///< taps of the graph that this run has not
    std::vector<std::string> notes;         ///< on how it was run; mostly empty
    std::int64_t opsRun = 0, opsCached = 0; ///< ops computed, and taken from the cache

    const Tap* find(std::string_view name) const {
        for (const Tap& t : taps)
            if (t.name == name) return &t;
        return nullptr;
    }
};

} // namespace divdet::run
