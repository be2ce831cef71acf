#include "session/lists_json.h"

#include "compare/tolerance.h"

namespace divdet {

Json passesJson() {
    Json list = Json::array();
    for (const auto& p : listPasses())
        list.push_back({{"id", p.id},
                        {"kind", name(p.kind)},
                        {"stage", name(p.stage)},
                        {"title", p.title},
                        {"text", p.text},
                        {"variants", p.variants},
                        {"other_variants", p.otherVariants.empty() ? Json(nullptr) : Json(p.otherVariants)}});
    return {{"passes", list}};
}

Json blocksJson() {
    Json list = Json::array();
    for (const auto& b : listBlocks()) {
        Json dims = Json::object();
        for (const auto& d : b.dims) dims[d.name] = d.value;
        list.push_back({{"id", b.id},
                        {"title", b.title},
                        {"text", b.text},
                        {"dims", dims},
                        {"taps", b.taps},
                        {"outputs", b.outputs}});
    }
    return {{"blocks", list}, {"inputs", listInputKinds()}};
}

Json presetsJson() {
    Json list = Json::array();
    for (const auto& p : tolerancePresets())
        list.push_back({{"id", p.id},
                        {"title", p.title},
                        {"rule", toString(p.rule)},
                        {"rtol", p.rtol},
                        {"atol", p.atol}});
    return {{"presets", list}};
}

Json devicesJson(const Session& session) {
    Json list = Json::array();
    for (const auto& d : listDevices(session))
        list.push_back({{"id", d.id},
                        {"title", d.title},
                        {"architecture", d.architecture},
                        {"kind", name(d.kind)},
                        {"promise", name(d.promise)},
                        {"available", d.available},
                        {"why_not", d.whyNot.empty() ? Json(nullptr) : Json(d.whyNot)}});
    return {{"devices", list}};
}

} // namespace divdet
