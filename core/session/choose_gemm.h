#pragma once
#include <string_view>

#include "session/session.h"

namespace divdet {

/// The device that `device` (empty: the first available one) is with the asked-for matrix products: `own`,
/// our kernels with the twin's bits, or `cublas`, the library's, `cuda:0/cublas`. Empty: what `device` says.
/// Errors: usage for another word, for cublas on a CPU and for own on a device of cuBLAS; unsupported where
/// the GPU has no cuBLAS; those of finding the device.
Result<run::DeviceId> chooseGemm(const Session& session, const run::DeviceId& device, std::string_view gemm);

} // namespace divdet
