#include "session/inspect_json.h"

namespace divdet {
namespace {

Json toJson(const InspectedTap& tap) {
    const auto stat = [&](double x) { return tap.numeric ? number(x) : Json(nullptr); };
    const auto amount = [&](std::int64_t n) { return tap.numeric ? Json(n) : Json(nullptr); };
    Json first = Json::array();
    for (double x : tap.first) first.push_back(number(x));
    return {{"name", tap.name},
            {"dtype", name(tap.dtype)},
            {"shape", tap.shape},
            {"readable", !tap.error},
            {"error", divdet::toJson(tap.error)},
            {"elements", tap.elements},
            {"min", stat(tap.min)},
            {"max", stat(tap.max)},
            {"mean", stat(tap.mean)},
            {"sum", stat(tap.sum)},
            {"nan", amount(tap.nan)},
            {"inf", amount(tap.inf)},
            {"zeros", amount(tap.zeros)},
            {"first", first},
            {"sha256", tap.sha256.empty() ? Json(nullptr) : Json(tap.sha256)}};
}

} // namespace

Json toJson(std::span<const InspectedFile> files) {
    Json out{{"tool", "divdet"}, {"schema", 1}, {"command", "inspect"}, {"files", Json::array()}};
    for (const auto& f : files) {
        Json taps = Json::array(), other = Json::array();
        for (const auto& t : f.taps) taps.push_back(toJson(t));
        for (const auto& [key, value] : f.other) other.push_back({{"name", key}, {"value", value}});
        out["files"].push_back({{"file", f.path.string()},
                                {"format", f.format.empty() ? Json(nullptr) : Json(f.format)},
                                {"readable", !f.error},
                                {"error", toJson(f.error)},
                                {"taps", taps},
                                {"other", other},
                                {"cautions", f.cautions}});
    }
    return out;
}

} // namespace divdet
