#include <map>

#include <fmt/format.h>

#include "judge/taps/rules.h"

namespace divdet::tap_rules {
namespace {

/// Honest errors of independent layers add up as √depth on a residual stream; doubling in each of several
/// layers is amplification. A model may be chaotic by itself, so this alone is not a bug.
constexpr double kDoubles = 2;
constexpr int kLayers = 4;

} // namespace

/// The error doubles from layer to layer, at one role, for several layers on end.
void growth(const Chain& chain, std::vector<TapFinding>& out) {
    std::map<std::pair<std::string, Shape>, std::map<int, std::size_t>> roles;
    for (std::size_t t = 0; t < chain.taps.size(); ++t) {
        const ChainTap& tap = chain.taps[t];
        if (tap.name.layer && tap.facts->judged && !tap.name.gradient)
            roles[{tap.name.role, tap.facts->shape}].try_emplace(*tap.name.layer, t);
    }
    std::optional<TapFinding> first;
    for (const auto& [key, layers] : roles) {
        int run = 0;
        double before = 0, start = 0;
        for (const auto& [layer, t] : layers) {
            const double e = chain.taps[t].facts->error;
            const bool doubles = before > 0 && e > kDoubles * before;
            run = doubles ? run + 1 : 0;
            if (!doubles) start = e;
            before = e;
            if (run < kLayers || e <= kJump * chain.taps[t].floor) continue;
            if (first && first->tap <= t) break;
            first = TapFinding{
                t,
                e / start,
                {"growth",
                 FindingClass::unclear,
                 fmt::format("The error at {} doubled in each of the last {} layers, {:.3g} times in "
                             "all: more than a residual stream of honest layers explains.",
                             key.first, run, e / start),
                 {{"layers", static_cast<std::int64_t>(run)}, {"growth", e / start}}}};
            break;
        }
    }
    if (first) out.push_back(std::move(*first));
}

} // namespace divdet::tap_rules
