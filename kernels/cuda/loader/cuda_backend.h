#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "cuda/loader/cuda_module.h"
#include "run/racing_backend.h"

namespace divdet::cuda {

struct OpText;

/// NVIDIA GPUs: `cuda:0` and so on with our own kernels (exact: the bits of the CPU twin of the device's
/// architecture), and `cuda:0/cublas` where cuBLAS multiplies (bounded). The module is loaded when devices
/// are first asked for; where that fails there is one device `cuda` that says why.
class CudaBackend : public run::Backend, public run::RacingBackend {
public:
    CudaBackend() = default; ///< loads loadCudaModule()
    explicit CudaBackend(std::shared_ptr<const CudaModule> module)
        : m_given(std::move(module)) {}

    std::vector<run::DeviceInfo> devices() const override;
    Result<Tensor> runOp(const run::DeviceId& device, const lower::LoweredOp& op,
                         std::span<const Tensor> inputs, const Progress& progress) override {
        return runKeyedOp(device, op, inputs, {}, progress);
    }
    /// Inputs and results with keys stay on the device for later ops, within the module's bound.
    Result<Tensor> runKeyedOp(const run::DeviceId& device, const lower::LoweredOp& op,
                              std::span<const Tensor> inputs, const run::OpKeys& keys,
                              const Progress& progress) override;

    /// By the device's own atomic additions, in scatter_add; unsupported for other ops: the module has no
    /// kernel of theirs that adds so. How many threads met is not known: `seen` counts the ops.
    Result<Tensor> raceOp(const run::DeviceId& device, const lower::LoweredOp& op,
                          std::span<const Tensor> inputs, const run::RaceOptions& options,
                          run::RaceSeen& seen, const Progress& progress) override;

    /// As a captured CUDA graph; nothing where the module is of a version that cannot.
    Result<std::optional<run::Replayed>> replayProgram(const run::DeviceId& device,
                                                       const lower::LoweredGraph& program,
                                                       const run::ReplayInputs& inputs,
                                                       const Progress& progress) override;

private:
    Result<Tensor> runDescribed(const run::DeviceId& device, const lower::LoweredOp& op,
                                const OpText& described, std::span<const Tensor> inputs,
                                const run::OpKeys& keys, const Progress& progress);

    struct Session; ///< of one device, with the lock that lets one thread at a time use it
    struct Opened;  ///< the module and its devices

    const Opened& opened() const;
    /// Of a device that can run. Errors: notFound, unsupported, cancelled.
    Result<std::uint32_t> numberOf(const run::DeviceId& device, const Progress& progress) const;
    Result<std::shared_ptr<Session>> sessionOf(std::uint32_t device);

    void drop(std::uint32_t device); ///< its session is closed when nobody uses it any more

    std::shared_ptr<const CudaModule> m_given;
    mutable std::once_flag m_once;
    mutable std::shared_ptr<const Opened> m_opened;
    std::mutex m_mutex;
    std::map<std::uint32_t, std::shared_ptr<Session>> m_sessions;
};

} // namespace divdet::cuda
