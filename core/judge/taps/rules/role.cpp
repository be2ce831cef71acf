#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "judge/taps/rules.h"

namespace divdet::tap_rules {
namespace {

/// Tuned on honest runs.
constexpr double kOutlier = 1.4;
constexpr std::size_t kFewestLayers = 3;

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    const auto n = v.size();
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/// Places of a role's taps by layer. A role is one operator of one size: others do not compare.
using Role = std::map<int, std::size_t>;

/// The error that layer `other` predicts for a tap that inherits `before`. What an operator makes of its
/// inherited error and what it adds cannot be told apart in one layer: its whole growth may be amplification,
/// or its whole growth in squares may be noise of its own. The larger prediction counts, or a layer that
/// inherits little would stand out with honest noise.
double predicted(const ChainTap& other, double before) {
    const double e = other.facts->error, inherited = e / *other.growth;
    const double amplified = before * *other.growth;
    const double added = std::sqrt(std::max(0.0, e * e - inherited * inherited) + before * before);
    return std::max(amplified, added);
}

void judgeRole(const Chain& chain, const Role& layers, std::vector<TapFinding>& out) {
    for (const auto& [layer, t] : layers) {
        const ChainTap& tap = chain.taps[t];
        const double error = tap.facts->error, before = error / *tap.growth;
        std::vector<double> others;
        for (const auto& [other, i] : layers)
            if (other != layer) others.push_back(predicted(chain.taps[i], before));
        const double usual = median(std::move(others)), times = error / usual;
        // What one honest operator may add by itself needs no explanation; an error that a lost mean
        // explains, or that is no error of this add, is not this operator's.
        if (!(times > kOutlier) || error <= std::max(tap.floor, tap.carried) || tap.exactSum) continue;
        out.push_back(
            {t,
             times / kOutlier,
             {"layer-outlier",
              FindingClass::bug,
              fmt::format("The error, {:.3g} of the signal, is {:.3g} times what the same role makes of "
                          "the error before it in the {} other layers.",
                          error, times, layers.size() - 1),
              {{"relative_error", error},
               {"predicted", usual},
               {"growth", *tap.growth},
               {"layers", static_cast<std::int64_t>(layers.size())}}}});
    }
}

} // namespace

/// One layer's role amplifies the error more than the same role elsewhere. The first layer inherits less than
/// the others and is left out.
void role(const Chain& chain, std::vector<TapFinding>& out) {
    std::map<std::pair<std::string, Shape>, Role> roles;
    for (std::size_t t = 0; t < chain.taps.size(); ++t) {
        const ChainTap& tap = chain.taps[t];
        if (tap.name.layer && tap.facts->judged)
            roles[{tap.name.role, tap.facts->shape}].try_emplace(*tap.name.layer, t);
    }
    for (auto& [key, layers] : roles) {
        const bool backward = chain.taps[layers.begin()->second].name.gradient;
        layers.erase(backward ? std::prev(layers.end()) : layers.begin());
        std::erase_if(layers, [&](const auto& l) { return !chain.taps[l.second].growth; });
        if (layers.size() >= kFewestLayers) judgeRole(chain, layers, out);
    }
}

} // namespace divdet::tap_rules
