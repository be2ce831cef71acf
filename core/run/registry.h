#pragma once
#include <memory>
#include <vector>

#include "run/backend.h"

namespace divdet::run {

/// The backends a program brings; core links none itself. Filled before use, then only read.
class BackendRegistry {
public:
    void add(std::shared_ptr<Backend> backend);

    /// Of all backends, in the order they were added; an id that came before is left out.
    std::vector<DeviceInfo> devices() const;

    /// A device that can run. An empty id means the first available one. Errors: notFound for an unknown id
    /// or an empty registry, unsupported with the device's reason when it is not available.
    struct Found {
        std::shared_ptr<Backend> backend;
        DeviceInfo device;
    };
    Result<Found> find(const DeviceId& id) const;

private:
    std::vector<std::shared_ptr<Backend>> m_backends;
};

} // namespace divdet::run
