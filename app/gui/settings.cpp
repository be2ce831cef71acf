#include "gui/settings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "session/lists.h"

namespace divdet {
namespace {

/// The path goes through decimal presets; what lies on it is written with 12 digits, so that the preset is
/// met.
double tidy(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.12g", value);
    return std::strtod(text, nullptr);
}

} // namespace

BlockRequest RunSettings::request(const Tolerance& tolerance) const {
    BlockRequest r;
    r.block = block;
    r.dims = dims;
    r.inputs = inputs;
    r.seed = seed;
    r.runNumber = runNumber;
    r.device = device;
    r.reference = reference;
    const auto whyNot = whyPassesDoNotFit(r, passes);
    for (std::size_t i = 0; i < passes.size(); ++i)
        if (whyNot[i].empty()) r.passes.push_back(passes[i]);
    r.judge = judge;
    r.tolerance = tolerance;
    return r;
}

RunSettings RunSettings::of(const BlockRequest& request) {
    return {request.block,  request.dims,      request.inputs, request.seed, request.runNumber,
            request.device, request.reference, request.passes, request.judge};
}

bool operator==(const RunSettings& a, const RunSettings& b) {
    return a.block == b.block && a.dims == b.dims && a.inputs == b.inputs && a.seed == b.seed &&
           a.runNumber == b.runNumber && a.device == b.device && a.reference == b.reference &&
           a.judge.kind == b.judge.kind && a.judge.names == b.judge.names && a.passes == b.passes;
}

std::vector<lower::PassChoice> inPassOrder(std::vector<lower::PassChoice> passes) {
    const auto all = listPasses();
    const auto place = [&all](const lower::PassChoice& choice) {
        return std::find_if(all.begin(), all.end(),
                            [&](const lower::PassInfo& p) { return p.id == choice.id; });
    };
    std::stable_sort(passes.begin(), passes.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
    return passes;
}

ToleranceSettings withRtol(ToleranceSettings settings, double rtol) {
    settings.tolerance.rtol = rtol;
    if (settings.linked) settings.tolerance.atol = tidy(linkedAtol(rtol));
    return settings;
}

ToleranceSettings withAtol(ToleranceSettings settings, double atol) {
    settings.tolerance.atol = atol;
    if (settings.linked) settings.tolerance.rtol = tidy(linkedRtol(atol));
    return settings;
}

ToleranceSettings withLink(ToleranceSettings settings, bool linked) {
    settings.linked = linked;
    return linked ? withRtol(settings, settings.tolerance.rtol) : settings;
}

ToleranceSettings withPreset(ToleranceSettings settings, const TolerancePreset& preset) {
    settings.tolerance.rule = preset.rule;
    settings.tolerance.rtol = preset.rtol;
    settings.tolerance.atol = preset.atol;
    const double onPath = linkedAtol(preset.rtol);
    settings.linked = settings.linked && std::abs(onPath - preset.atol) <= 1e-9 * onPath;
    return settings;
}

ToleranceSettings withSane(ToleranceSettings settings, const SaneLine& line) {
    if (settings.linked && line.onPath()) return withRtol(settings, line.middle.rtol);
    settings.linked = false;
    settings.tolerance.rtol = line.middle.rtol;
    settings.tolerance.atol = line.middle.atol;
    return settings;
}

const TolerancePreset* presetAt(const Tolerance& tolerance) {
    for (const TolerancePreset& preset : tolerancePresets())
        if (preset.rule == tolerance.rule && preset.rtol == tolerance.rtol && preset.atol == tolerance.atol)
            return &preset;
    return nullptr;
}

} // namespace divdet
