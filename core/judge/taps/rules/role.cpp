#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "judge/taps/rules.h"

namespace divdet::tap_rules {
namespace {

/// Tuned: growth in honest runs is up to 1.33 times that of the other layers (judge_measured.md §2).
constexpr double kOutlier = 1.4;
constexpr std::size_t kFewestLayers = 3;

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    const auto n = v.size();
    return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/// Places of a role's taps by layer. A role is one operator of one size: others do not compare.
using Role = std::map<int, std::size_t>;

void judgeRole(const Chain& chain, const Role& layers, std::vector<TapFinding>& out) {
    for (const auto& [layer, t] : layers) {
        const ChainTap& tap = chain.taps[t];
        std::vector<double> others;
        for (const auto& [other, i] : layers)
            if (other != layer) others.push_back(std::log(*chain.taps[i].growth));
        const double usual = std::exp(median(std::move(others))), times = *tap.growth / usual;
        // Below an ulp an error is a matter of a few elements that happen to round apart.
        if (!(times > kOutlier) || tap.facts->error <= 2 * tap.facts->unit || tap.exactSum) continue;
        out.push_back(
            {t,
             times / kOutlier,
             {"layer-outlier",
              FindingClass::bug,
              fmt::format("Here the error grows {:.3g} times over the tap before; in the other {} layers "
                          "the same role grows it {:.3g} times.",
                          *tap.growth, layers.size() - 1, usual),
              {{"growth", *tap.growth},
               {"usual_growth", usual},
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
