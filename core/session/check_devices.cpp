#include "session/check_devices.h"

#include <algorithm>

#include "session/lists_json.h"

namespace divdet {
namespace {

Json toJson(const DeviceCheck& c) {
    if (!c.device.available) return nullptr;
    Json list = Json::array();
    for (const run::ArithmeticCheck& a : c.arithmetics)
        list.push_back({{"name", a.arithmetic},
                        {"result", name(a.agreement)},
                        {"cases", a.cases},
                        {"detail", a.detail.empty() ? Json(nullptr) : Json(a.detail)}});
    return {{"agrees", c.agrees()}, {"arithmetics", list}};
}

} // namespace

bool DeviceCheck::agrees() const {
    return std::none_of(arithmetics.begin(), arithmetics.end(),
                        [](const run::ArithmeticCheck& a) { return a.agreement == run::Agreement::differ; });
}

Result<std::vector<DeviceCheck>> checkDevices(const Session& session, const Progress& progress) {
    std::vector<DeviceCheck> all;
    for (const run::DeviceInfo& device : session.backends().devices()) {
        DeviceCheck check{device, {}};
        if (device.available) {
            const auto found = session.backends().find(device.id);
            if (!found) return found.error();
            auto arithmetics = run::checkDevice(*found->backend, device, progress);
            if (!arithmetics) return arithmetics.error();
            check.arithmetics = std::move(*arithmetics);
        }
        all.push_back(std::move(check));
    }
    return all;
}

bool allAgree(const std::vector<DeviceCheck>& checks) {
    return std::all_of(checks.begin(), checks.end(), [](const DeviceCheck& c) { return c.agrees(); });
}

Json devicesJson(const Session& session, const std::vector<DeviceCheck>& checks) {
    Json out = devicesJson(session);
    for (std::size_t i = 0; i < checks.size(); ++i) out["devices"][i]["check"] = toJson(checks[i]);
    out["agrees"] = allAgree(checks);
    return out;
}

} // namespace divdet
