#include "run/backend.h"

namespace divdet::run {

std::string_view name(Promise promise) {
    static constexpr std::string_view kNames[] = {"exact", "bounded", "approximate"};
    return kNames[static_cast<std::size_t>(promise)];
}

std::string_view name(DeviceKind kind) {
    return kind == DeviceKind::cpuTwin ? "cpu" : "gpu";
}

} // namespace divdet::run
