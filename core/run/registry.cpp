#include "run/registry.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace divdet::run {

void BackendRegistry::add(std::shared_ptr<Backend> backend) {
    m_backends.push_back(std::move(backend));
}

std::vector<DeviceInfo> BackendRegistry::devices() const {
    std::vector<DeviceInfo> all;
    for (const auto& backend : m_backends)
        for (DeviceInfo& d : backend->devices()) {
            const bool known = std::any_of(all.begin(), all.end(),
                                           [&](const DeviceInfo& other) { return other.id == d.id; });
            if (!known) all.push_back(std::move(d));
        }
    return all;
}

Result<BackendRegistry::Found> BackendRegistry::find(const DeviceId& id) const {
    for (const auto& backend : m_backends)
        for (DeviceInfo& d : backend->devices()) {
            if (id.empty() ? !d.available : d.id != id) continue;
            if (!d.available) return Error{ErrorCode::unsupported, d.whyNot, d.id, "see divdet devices"};
            return Found{backend, std::move(d)};
        }
    std::vector<std::string> usable;
    for (const DeviceInfo& d : devices())
        if (d.available) usable.push_back(d.id);
    return Error{ErrorCode::notFound,
                 id.empty() ? "there is no device" : fmt::format("there is no device {}", id), id,
                 usable.empty() ? "" : fmt::format("the devices are {}", fmt::join(usable, ", "))};
}

} // namespace divdet::run
