#include "session/choose_gemm.h"

#include <fmt/format.h>

#include "run/device_id.h"

namespace divdet {
namespace {

Error usage(std::string message, std::string hint) {
    return {ErrorCode::usage, std::move(message), "--gemm", std::move(hint)};
}

} // namespace

Result<run::DeviceId> chooseGemm(const Session& session, const run::DeviceId& device, std::string_view gemm) {
    if (gemm.empty()) return device;
    if (gemm != "own" && gemm != "cublas")
        return usage(fmt::format("'{}' is no way to multiply", gemm), "write own or cublas");
    if (run::multipliesByLibrary(device)) {
        if (gemm == "cublas") return device;
        return usage(fmt::format("{} multiplies with cuBLAS", device),
                     fmt::format("write --device {}, or leave --gemm out",
                                 device.substr(0, device.size() - run::kLibrarySuffix.size())));
    }
    if (gemm == "own") return device;
    const auto found = session.backends().find(device);
    if (!found) return found.error();
    const run::DeviceInfo& on = found->device;
    if (on.kind != run::DeviceKind::gpu)
        return usage(fmt::format("cuBLAS multiplies on NVIDIA GPUs, and {} is a CPU", on.id),
                     "write --device cuda:0 too (see divdet devices), or --gemm own");
    const run::DeviceId byLibrary = on.id + std::string(run::kLibrarySuffix);
    if (session.backends().find(byLibrary)) return byLibrary;
    return Error{ErrorCode::unsupported, "cuBLAS is not there on this machine", on.id,
                 "install the libcublas of the CUDA Toolkit that this build used, or write --gemm own"};
}

} // namespace divdet
