#include "judge/smooth_error.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr std::size_t kFewest = 32, kMost = 1 << 14;
constexpr double kSmooth = 0.9;

} // namespace

double likeness(std::span<const double> keys, std::span<const double> errors) {
    const std::size_t n = keys.size();
    if (n < kFewest) return 0;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
    double along = 0, all = 0;
    for (std::size_t i = 0; i < n; ++i) {
        all += errors[order[i]] * errors[order[i]];
        if (i) along += errors[order[i]] * errors[order[i - 1]];
    }
    return all > 0 ? along / all : 0;
}

bool smoothInInput(const PairEvidence& pair) {
    if (!realFloating(pair) || pair.summary.never > 0) return false;
    const PairSample& sample = pair.sample();
    const std::size_t stride = std::max<std::size_t>(1, sample.r.size() / kMost);
    std::vector<double> errors;
    std::vector<std::int64_t> at;
    for (std::size_t i = 0; i < sample.r.size(); i += stride)
        if (std::isfinite(sample.r[i]) && std::isfinite(sample.c[i])) {
            errors.push_back(sample.c[i] - sample.r[i]);
            at.push_back(sample.index[i]);
        }
    const auto smoothBy = [&](const TensorView& keys) {
        std::vector<double> k;
        for (const auto i : at) {
            double v = 0;
            loadAsDouble(keys, i, {&v, 1});
            if (!std::isfinite(v)) return false;
            k.push_back(v);
        }
        return likeness(k, errors) > kSmooth;
    };
    bool asked = false;
    for (const auto& [name, t] : pair.context.inputs)
        if (t.shape() == pair.reference.shape && kind(t.dtype()) == DTypeKind::floating) {
            asked = true;
            if (smoothBy(t.view())) return true;
        }
    return !asked && smoothBy(pair.reference);
}

} // namespace divdet
