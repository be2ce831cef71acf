#pragma once
#include <cstdint>
#include <span>

#include "run/backend.h"

namespace divdet::run {

struct RaceOptions {
    int threads = 0; ///< that add at once; 0: as many as the device has, and never fewer than two
};

/// What was seen of the threads while they added, summed over the ops of a run.
struct RaceSeen {
    int threads = 0;              ///< that took part, the most of any op; 0: the device does not say
    std::int64_t races = 0;       ///< ops computed by racing threads
    std::int64_t overlapping = 0; ///< of those: ops in which two threads were at work at one time
    std::int64_t additions = 0;   ///< atomic additions to an output
    std::int64_t retries = 0;     ///< additions that found the sum changed by another thread meanwhile

    void add(const RaceSeen& more);
};

/// What a Backend may offer besides (it then derives from this too): sums whose order is left to chance, by
/// threads that add to one output atomically. The bits may differ from call to call; nothing is seeded.
class RacingBackend {
public:
    virtual ~RacingBackend() = default;

    /// As Backend::runOp, for an op whose slots have the order `atomics`: its parts are those of the seeded
    /// order, which one comes first is decided by the threads. With one thread they come in increasing order.
    /// `seen` is added to. Errors: usage for another order; unsupported for slots it cannot do; cancelled.
    virtual Result<Tensor> raceOp(const DeviceId& device, const lower::LoweredOp& op,
                                  std::span<const Tensor> inputs, const RaceOptions& options, RaceSeen& seen,
                                  const Progress& progress) = 0;
};

} // namespace divdet::run
