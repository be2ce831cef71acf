#include "session/determinism/left_to_chance.h"

#include "lower/lowered.h"

namespace divdet {

// runKeyedOp is left as it is: it calls this one without keys, and a device that keeps results by key would
// otherwise return the first run's in all others.
Result<Tensor> LeftToChance::runOp(const run::DeviceId& device, const lower::LoweredOp& op,
                                   std::span<const Tensor> inputs, const Progress& progress) {
    if (m_racing && op.slots.order == lower::SumOrder::atomics)
        return m_racing->raceOp(device, op, inputs, m_options, m_seen, progress);
    return m_inner.runOp(device, op, inputs, progress);
}

} // namespace divdet
