#include "judge/local/pointwise_bound.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "block/ops/scale/scale.h"
#include "judge/local/allowed.h"

namespace divdet::local {
namespace {

constexpr double kFunction = 4 * kU;   ///< exp, tanh, erf are good to 2 ulp on every device
constexpr double kSmallest = 0x1p-126; ///< below it a relative bound says nothing
constexpr double kExact = 0x1p-50;     ///< what double itself loses, with room to spare
constexpr double kSteepestGelu = 1.13, kSteepestSilu = 1.1;

double gelu(double x) {
    return 0.5 * x * std::erfc(-x / std::numbers::sqrt2);
}

double geluTanh(double x) {
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

double silu(double x) {
    return x / (1 + std::exp(-x));
}

/// Values pass through f, whose own rounding adds `fresh(x, y)`; what was uncertain grows by at most
/// `steepest`.
template <class F, class Fresh>
void function(std::span<double> v, std::span<double> e, double steepest, const F& f, const Fresh& fresh) {
    for (std::size_t i = 0; i < v.size(); ++i) {
        const double x = v[i], y = f(x);
        e[i] = steepest * e[i] + fresh(x, y);
        v[i] = y;
    }
}

void mask(const Shape& shape, std::int64_t offset, std::span<double> v, std::span<double> e) {
    const auto columns = static_cast<std::size_t>(shape.back());
    const auto rows = static_cast<std::size_t>(shape[shape.size() - 2]);
    for (std::size_t i = 0; i < v.size(); ++i) {
        const auto column = static_cast<std::int64_t>(i % columns);
        const auto row = static_cast<std::int64_t>(i / columns % rows);
        if (column <= row + offset) continue;
        v[i] = -INFINITY;
        e[i] = 0;
    }
}

/// The absolute term covers the left tail, where the two halves of gelu cancel.
double geluError(double x, double y) {
    if (std::isinf(x)) return 0;
    return std::abs(x) / 2 * (kFunction + 2 * kU) + 3 * kU * std::abs(y) + kSmallest;
}

} // namespace

bool pointwiseBound(block::OpKind kind, const block::Attributes& attributes, const lower::Slots& slots,
                    const Shape& shape, std::span<const double> operand, bool rounds, std::span<double> v,
                    std::span<double> e) {
    using block::OpKind;
    const double unit = rounds ? kU : 0;
    switch (kind) {
    case OpKind::add:
        for (std::size_t i = 0; i < v.size(); ++i) {
            const double o = operand[i % operand.size()];
            e[i] += kExact * (std::abs(v[i]) + std::abs(o));
            v[i] += o;
            e[i] += unit * (std::abs(v[i]) + e[i]);
        }
        return true;
    case OpKind::mul:
        for (std::size_t i = 0; i < v.size(); ++i) {
            const double o = operand[i % operand.size()];
            v[i] *= o;
            e[i] = e[i] * std::abs(o) + (kExact + unit) * std::abs(v[i]) + 0x1p-149;
        }
        return true;
    case OpKind::scale: {
        const double factor = static_cast<float>(block::ops::scaleFactor(attributes));
        for (std::size_t i = 0; i < v.size(); ++i) {
            v[i] *= factor;
            e[i] = e[i] * std::abs(factor) + (kExact + unit) * std::abs(v[i]) + 0x1p-149;
        }
        return true;
    }
    case OpKind::relu:
        for (double& x : v) x = x > 0 || std::isnan(x) ? x : 0;
        return true;
    case OpKind::gelu:
        if (slots.formula == lower::Formula::geluTanh)
            function(v, e, kSteepestGelu, geluTanh, geluError);
        else
            function(v, e, kSteepestGelu, gelu, geluError);
        return true;
    case OpKind::silu:
        function(v, e, kSteepestSilu, silu,
                 [](double, double y) { return std::abs(y) * (kFunction + 3 * kU) + kSmallest; });
        return true;
    case OpKind::causal_mask:
        mask(shape, block::integerOr(attributes, "offset", 0), v, e);
        return true;
    default:
        return false;
    }
}

} // namespace divdet::local
