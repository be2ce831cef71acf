#pragma once
#include "run/racing_backend.h"

namespace divdet {

/// A backend whose ops with the order `atomics` are raced instead of shuffled by their seed. Nothing that it
/// ran before is taken again, so every call is a fresh run. Without `racing` it only does that.
class LeftToChance : public run::Backend {
public:
    LeftToChance(run::Backend& inner, run::RacingBackend* racing, run::RaceOptions options = {})
        : m_inner(inner)
        , m_racing(racing)
        , m_options(options) {}

    const run::RaceSeen& seen() const { return m_seen; }

    std::vector<run::DeviceInfo> devices() const override { return m_inner.devices(); }
    Result<Tensor> runOp(const run::DeviceId& device, const lower::LoweredOp& op,
                         std::span<const Tensor> inputs, const Progress& progress) override;

private:
    run::Backend& m_inner;
    run::RacingBackend* m_racing;
    run::RaceOptions m_options;
    run::RaceSeen m_seen;
};

} // namespace divdet
