#include <cmath>
#include <numbers>

#include "block/ops/scale/scale.h"
#include "judge/envelope/rules.h"

namespace divdet::envelope {
namespace {

double square(double x) {
    return x * x;
}
double rounding(double y) {
    return square(ulpOf(y, DType::f32)) / 12;
}

/// Value, first and second derivative.
struct Taylor {
    double y, slope, curve;
};

Taylor gelu(double x) {
    const double normal = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
    const double below = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    return {x * below, below + x * normal, normal * (2 - x * x)};
}

Taylor geluTanh(double x) {
    Taylor t = gelu(x); // the slopes differ by less than a thousandth
    t.y = 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    return t;
}

Taylor silu(double x) {
    const double s = 1 / (1 + std::exp(-x));
    return {x * s, s * (1 + x * (1 - s)), s * (1 - s) * (2 + x * (1 - 2 * s))};
}

/// The square of an error has a longer tail than the error: where a function is flat and nothing else is
/// left, deviations count a third.
constexpr double kSquaresTail = 9;

/// To second order: the curve moves the mean and adds to the variance. `own` is the variance of the
/// function's own rounding.
template <class F, class Own>
void activation(Field& f, const F& function, const Own& own) {
    for (std::size_t i = 0; i < f.mean.size(); ++i) {
        const double x = f.mean[i], v = f.variance[i];
        const Taylor t = function(x);
        f.mean[i] = t.y + 0.5 * t.curve * v;
        f.variance[i] = square(t.slope) * v + kSquaresTail * 0.5 * square(t.curve * v) + own(x, t.y);
    }
}

void mask(const Shape& shape, std::int64_t offset, Field& f) {
    const auto columns = static_cast<std::size_t>(shape.back());
    const auto rows = static_cast<std::size_t>(shape[shape.size() - 2]);
    for (std::size_t i = 0; i < f.mean.size(); ++i) {
        const auto column = static_cast<std::int64_t>(i % columns),
                   row = static_cast<std::int64_t>(i / columns % rows);
        if (column <= row + offset) continue;
        f.mean[i] = -INFINITY;
        f.variance[i] = 0;
    }
}

} // namespace

bool pointwiseField(block::OpKind kind, const block::Attributes& attributes, const lower::Slots& slots,
                    const Shape& shape, const Field* operand, Field& f) {
    using block::OpKind;
    // Functions that are rounded correctly lose half an ulp; fast ones are good to two.
    const double function = slots.maths == lower::Maths::fast ? square(2.0) : 1.0 / 12;
    switch (kind) {
    case OpKind::add:
        for (std::size_t i = 0; i < f.mean.size(); ++i) {
            f.mean[i] += operand->mean[i % operand->mean.size()];
            f.variance[i] += operand->varianceAt(i % operand->mean.size()) + rounding(f.mean[i]);
        }
        return true;
    case OpKind::mul:
        for (std::size_t i = 0; i < f.mean.size(); ++i) {
            const double x = f.mean[i], o = operand->mean[i % operand->mean.size()];
            const double v = operand->varianceAt(i % operand->mean.size());
            f.variance[i] = f.variance[i] * (o * o + v) + x * x * v + rounding(x * o);
            f.mean[i] = x * o;
        }
        return true;
    case OpKind::scale: {
        const double factor = static_cast<float>(block::ops::scaleFactor(attributes));
        for (std::size_t i = 0; i < f.mean.size(); ++i) {
            f.mean[i] *= factor;
            f.variance[i] = f.variance[i] * factor * factor + rounding(f.mean[i]);
        }
        return true;
    }
    case OpKind::relu:
        activation(
            f,
            [](double x) {
                return x > 0 ? Taylor{x, 1, 0} : Taylor{0, 0, 0};
            },
            [](double, double) { return 0.0; });
        return true;
    case OpKind::gelu: {
        const bool tanh = slots.formula == lower::Formula::geluTanh;
        activation(f, tanh ? geluTanh : gelu, [&](double x, double y) {
            const bool fast = slots.maths == lower::Maths::fast;
            return function * square(ulpOf(y, DType::f32)) + (fast ? square(ulpOf(x / 2, DType::f32)) : 0);
        });
        return true;
    }
    case OpKind::silu:
        activation(f, silu, [&](double, double y) { return function * square(ulpOf(y, DType::f32)); });
        return true;
    case OpKind::causal_mask:
        mask(shape, block::integerOr(attributes, "offset", 0), f);
        return true;
    default:
        return false;
    }
}

} // namespace divdet::envelope
