#pragma once
#include "run/racing_backend.h"

namespace divdet::host {

/// The CPU twins cpu:sm_80 (the default), cpu:sm_89, cpu:sm_90 and cpu:sm_100: published fp32 orders, exact
/// integers and each architecture's tensor-core step. The same bits on every machine and number of threads;
/// raceOp alone is made to differ (host/racing.h).
class TwinBackend : public run::Backend, public run::RacingBackend {
public:
    std::vector<run::DeviceInfo> devices() const override;
    Result<Tensor> runOp(const run::DeviceId& device, const lower::LoweredOp& op,
                         std::span<const Tensor> inputs, const Progress& progress) override;
    Result<Tensor> raceOp(const run::DeviceId& device, const lower::LoweredOp& op,
                          std::span<const Tensor> inputs, const run::RaceOptions& options,
                          run::RaceSeen& seen, const Progress& progress) override;
    void fillNormal(std::uint64_t seed, std::uint32_t stream, std::span<float> out) override;
};

} // namespace divdet::host
