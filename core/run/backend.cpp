#include "run/backend.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "numerics/philox.h"

namespace divdet::run {

std::string_view name(Promise promise) {
    static constexpr std::string_view kNames[] = {"exact", "bounded", "approximate"};
    return kNames[static_cast<std::size_t>(promise)];
}

std::string_view name(DeviceKind kind) {
    return kind == DeviceKind::cpuTwin ? "cpu" : "gpu";
}

Result<Tensor> Backend::runKeyedOp(const DeviceId& device, const lower::LoweredOp& op,
                                   std::span<const Tensor> inputs, const OpKeys&, const Progress& progress) {
    return runOp(device, op, inputs, progress);
}

Result<std::optional<Replayed>> Backend::replayProgram(const DeviceId&, const lower::LoweredGraph&,
                                                       const ReplayInputs&, const Progress&) {
    return std::optional<Replayed>();
}

void Backend::fillNormalPlain(std::uint64_t seed, std::uint32_t stream, std::span<float> out) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, out.size(), 4096), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i)
            out[i] = numerics::normalAt(seed, stream, i);
    });
}

} // namespace divdet::run
