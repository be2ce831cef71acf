#pragma once
#include "gui_test.h"

#include <atomic>
#include <chrono>
#include <thread>

#include "dump/write.h"
#include "gui/document.h"
#include "host/twin_backend.h"

namespace divdet {

/// The CPU twins, made as slow as a test wants; stops at once when cancelled.
class SlowBackend : public run::Backend {
public:
    std::atomic<int> delayMs{0}; ///< before each op
    std::atomic<int> opsRun{0};

    std::vector<run::DeviceInfo> devices() const override { return m_twin.devices(); }
    Result<Tensor> runOp(const run::DeviceId& device, const lower::LoweredOp& op,
                         std::span<const Tensor> inputs, const Progress& progress) override {
        using Clock = std::chrono::steady_clock;
        const auto until = Clock::now() + std::chrono::milliseconds(delayMs.load());
        while (Clock::now() < until) {
            if (progress.cancelled()) return Error{ErrorCode::cancelled, "the run was cancelled", {}, {}};
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        ++opsRun;
        return m_twin.runOp(device, op, inputs, progress);
    }

private:
    host::TwinBackend m_twin;
};

inline std::shared_ptr<Session> sessionWith(std::shared_ptr<run::Backend> backend) {
    auto registry = std::make_shared<run::BackendRegistry>();
    registry->add(std::move(backend));
    return std::make_shared<Session>(std::move(registry));
}

inline std::shared_ptr<Session> twinSession() {
    return sessionWith(std::make_shared<host::TwinBackend>());
}

inline bool settled(const Document& document) {
    return !document.busy() && !document.recounting();
}

/// Sizes at which a run takes milliseconds.
inline RunSettings smallRun(RunSettings run) {
    run.dims = {{"tokens", 8}, {"width", 64}, {"hidden", 128}};
    return run;
}

/// An f32 vector of `n` values counting up, each off by `error`.
inline Tensor ramp(std::int64_t n, float error) {
    TensorBuilder builder(DType::f32, {n});
    auto values = builder.as<float>();
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1) + error;
    return std::move(builder).finish();
}

/// A dump of two taps of ten elements.
inline QString writeDump(const QString& folder, const QString& name, float error) {
    const QString path = folder + QLatin1Char('/') + name;
    const std::vector<NamedTensor> taps = {{"first", ramp(10, 0)}, {"second", ramp(10, error)}};
    const Status written = name.endsWith(QLatin1String(".npz")) ? writeNpz(path.toStdString(), taps)
                                                                : writeSafetensors(path.toStdString(), taps);
    return written ? path : QString();
}

} // namespace divdet
