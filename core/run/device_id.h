#pragma once
#include <string>
#include <string_view>

namespace divdet::run {

/// Ends the id of a device whose matrix products a library computes: `cuda:0/cublas` is `cuda:0` with cuBLAS.
inline constexpr std::string_view kLibrarySuffix = "/cublas";

inline bool multipliesByLibrary(std::string_view device) {
    return device.ends_with(kLibrarySuffix);
}

} // namespace divdet::run
