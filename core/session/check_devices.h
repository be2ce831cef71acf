#pragma once
#include <vector>

#include "report/json_number.h"
#include "run/check_device.h"
#include "session/session.h"

namespace divdet {

struct DeviceCheck {
    run::DeviceInfo device;
    std::vector<run::ArithmeticCheck> arithmetics; ///< empty for a device that is not available
    bool agrees() const;                           ///< no arithmetic differs
};

/// Runs the golden cases on every available device, for `divdet devices --check`. Error: cancelled.
Result<std::vector<DeviceCheck>> checkDevices(const Session& session, const Progress& progress = {});

/// Whether every device keeps its promise.
bool allAgree(const std::vector<DeviceCheck>& checks);

/// devicesJson with `check` at each device: `{"agrees","arithmetics":[{"name","result","cases","detail"}]}`,
/// null where it is not available; and `agrees` for all.
Json devicesJson(const Session& session, const std::vector<DeviceCheck>& checks);

} // namespace divdet
