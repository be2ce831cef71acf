#include "host/twin_backend.h"

#include "host/elementwise.h"

#include <algorithm>

#include <fmt/format.h>

#include "host/racing.h"
#include "host/twin_ops.h"
#include "host/twin_values.h"

namespace divdet::host {
namespace {

using block::OpKind;
using numerics::Arch;

struct TwinDevice {
    std::string_view id, architecture;
    Arch arch;
};

constexpr TwinDevice kDevices[] = {
    {"cpu:sm_80", "sm_80", Arch::sm80},
    {"cpu:sm_89", "sm_89", Arch::sm89},
    {"cpu:sm_90", "sm_90", Arch::sm90},
    {"cpu:sm_100", "sm_100", Arch::sm100},
};

Result<Tensor> call(const twin::Call& c) {
    switch (c.op.kind) {
    case OpKind::matmul:
    case OpKind::conv2d:
        return twin::product(c);
    case OpKind::rmsnorm:
    case OpKind::layernorm:
        return twin::normRows(c);
    case OpKind::softmax:
        return twin::softmaxRows(c);
    case OpKind::reduce_sum:
        return twin::reduceRows(c);
    case OpKind::scatter_add:
        return twin::scatterAddRows(c);
    case OpKind::add:
    case OpKind::mul:
    case OpKind::scale:
    case OpKind::causal_mask:
    case OpKind::gelu:
    case OpKind::silu:
    case OpKind::relu:
        return twin::pointwiseElements(c);
    case OpKind::transpose:
    case OpKind::split_heads:
    case OpKind::merge_heads:
        return twin::movedElements(c);
    case OpKind::embedding:
        return twin::embeddingRows(c);
    case OpKind::quantize:
    case OpKind::dequantize:
        return twin::recodedElements(c);
    }
    return Error{ErrorCode::unsupported, fmt::format("the CPU twin has no {}", block::name(c.op.kind)),
                 c.op.name, ""};
}

Result<Tensor> runOn(const run::DeviceId& device, const lower::LoweredOp& op, std::span<const Tensor> inputs,
                     const Progress& progress, const twin::Race* race) {
    const auto* found = std::find_if(std::begin(kDevices), std::end(kDevices),
                                     [&](const TwinDevice& d) { return d.id == device; });
    if (found == std::end(kDevices))
        return Error{ErrorCode::notFound, "there is no such CPU twin", device, ""};
    if (inputs.size() != op.inputs.size())
        return Error{ErrorCode::internal, "an op was given another number of tensors than it reads", op.name,
                     ""};
    if (progress.cancelled()) return twin::cancelledError();
    auto result = call(twin::Call{op, inputs, found->arch, progress, race});
    if (!result || op.slots.subnormals == lower::Subnormals::kept) return result;
    return twin::flushedSubnormals(*result);
}

} // namespace

std::vector<run::DeviceInfo> TwinBackend::devices() const {
    std::vector<run::DeviceInfo> all;
    for (const TwinDevice& d : kDevices) {
        run::DeviceInfo info;
        info.id = d.id;
        info.title = fmt::format("CPU twin of {}", d.architecture);
        info.architecture = d.architecture;
        info.kind = run::DeviceKind::cpuTwin;
        info.promise = run::Promise::exact;
        all.push_back(std::move(info));
    }
    return all;
}

Result<Tensor> TwinBackend::runOp(const run::DeviceId& device, const lower::LoweredOp& op,
                                  std::span<const Tensor> inputs, const Progress& progress) {
    return runOn(device, op, inputs, progress, nullptr);
}

Result<Tensor> TwinBackend::raceOp(const run::DeviceId& device, const lower::LoweredOp& op,
                                   std::span<const Tensor> inputs, const run::RaceOptions& options,
                                   run::RaceSeen& seen, const Progress& progress) {
    if (op.slots.order != lower::SumOrder::atomics)
        return Error{ErrorCode::usage, "the order of this op is not left to atomic additions", op.name,
                     "switch the pass atomics on for it"};
    if (options.threads > kMostRacingThreads)
        return Error{ErrorCode::usage, fmt::format("{} threads would race", options.threads), "--threads",
                     fmt::format("choose at most {}", kMostRacingThreads)};
    const twin::Race race{{racingThreads(options)}, seen};
    return runOn(device, op, inputs, progress, &race);
}

namespace twin {

Error unsupportedSlot(const lower::LoweredOp& op) {
    return {
        ErrorCode::unsupported,
        fmt::format("the CPU twin cannot run {} with {}", block::name(op.kind), lower::toString(op.slots)),
        op.name, "switch that pass off for this op"};
}

Error at(Error error, const std::string& path) {
    error.path = path;
    return error;
}

Error cancelledError() {
    return {ErrorCode::cancelled, "cancelled", "", ""};
}

} // namespace twin
void TwinBackend::fillNormal(std::uint64_t seed, std::uint32_t stream, std::span<float> out) {
    host::fillNormal(seed, stream, 0, out.data(), out.size());
}

} // namespace divdet::host
