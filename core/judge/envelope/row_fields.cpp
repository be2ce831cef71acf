#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "block/ops/row_index.h"
#include "block/ops/support.h"
#include "judge/envelope/rules.h"
#include "judge/envelope/spread_panel.h"
#include "numerics/reduction.h"

namespace divdet::envelope {
namespace {

using local::kU;

constexpr double square(double x) {
    return x * x;
}

/// Relative variance of rsqrt and the two products behind it. The fast rsqrt promises 2 ulp and keeps within
/// 0.62 of one, 0.24 rms (the rounded one: 0.22), which no variance tells apart.
constexpr double kNormRounding = square(kU) * 4 / 3;

/// What the other elements of a row do to one through the norm: independent errors and, by the share that it
/// has of the norm, errors that go together (`sum` of |z| times their spread). For what moved one operand of
/// a product moved a row along itself, and of an element that makes up the norm no other error is left.
double throughTheNorm(double z, double count, double independent, double sum) {
    return square(z / count) * (independent + std::min(1.0, z * z / count) * square(sum));
}

/// Variance that fp32 roundings give a sum over the published tree of kLanes strided chains. From the partial
/// sums themselves: where the whole cancels, they are far larger than it.
double roundingsOfSum(std::span<const double> x) {
    std::array<double, numerics::kLanes> lane{};
    double variance = 0;
    const auto add = [&](double& to, double term) {
        const bool exact = to == 0 || term == 0;
        to += term;
        if (!exact) variance += square(ulpOf(to, DType::f32)) / 12;
    };
    for (std::size_t i = 0; i < x.size(); ++i) add(lane[i % numerics::kLanes], x[i]);
    for (std::size_t o = numerics::kLanes / 2; o > 0; o /= 2)
        for (std::size_t i = 0; i < o; ++i) add(lane[i], lane[i + o]);
    return variance;
}

} // namespace

Field rmsNormField(const OpCall& call) {
    const Field &x = *call.inputs[0], &gain = *call.inputs[1];
    const std::size_t n = gain.mean.size();
    const double eps = static_cast<float>(block::numberOr(call.op.attributes, "eps", 0)),
                 count = static_cast<double>(n);
    Field out{std::vector<double>(x.mean.size()), std::vector<double>(x.mean.size()), true};
    for (std::size_t row = 0; n && row + n <= x.mean.size(); row += n) {
        double squares = 0;
        for (std::size_t i = 0; i < n; ++i) squares += square(x.mean[row + i]) + x.varianceAt(row + i);
        const double r = std::sqrt(squares / count + eps);
        double pulled = 0, together = 0; ///< sums of z_j^2 V_j and of |z_j| √V_j, z = x / r
        for (std::size_t i = 0; i < n; ++i) {
            const double one = square(x.mean[row + i] / r) * x.varianceAt(row + i);
            pulled += one, together += std::sqrt(one);
        }
        for (std::size_t i = 0; i < n; ++i) {
            const double z = x.mean[row + i] / r, v = x.varianceAt(row + i), g = gain.mean[i];
            const double others = std::max(0.0, pulled - z * z * v),
                         sum = together - std::abs(z) * std::sqrt(v);
            const double through = v * square(1 - z * z / count) + throughTheNorm(z, count, others, sum);
            out.mean[row + i] = z * g;
            out.variance[row + i] = square(g / r) * through + square(z * g) * kNormRounding;
        }
    }
    return out;
}

Field layerNormField(const OpCall& call) {
    const Field &x = *call.inputs[0], &gain = *call.inputs[1];
    const std::size_t n = gain.mean.size();
    const double eps = static_cast<float>(block::numberOr(call.op.attributes, "eps", 0)),
                 count = static_cast<double>(n);
    const bool onePass = call.op.slots.formula == lower::Formula::onePassVariance;
    Field out{std::vector<double>(x.mean.size()), std::vector<double>(x.mean.size()), true};
    for (std::size_t row = 0; n && row + n <= x.mean.size(); row += n) {
        double mu = 0, squares = 0, raw = 0, all = 0, first = 0, second = 0, together = 0;
        for (std::size_t i = 0; i < n; ++i) mu += x.mean[row + i];
        mu /= count;
        for (std::size_t i = 0; i < n; ++i) {
            squares += square(x.mean[row + i] - mu) + x.varianceAt(row + i) * (1 - 1 / count);
            raw += square(x.mean[row + i]);
            all += x.varianceAt(row + i);
        }
        const double v = squares / count + eps, r = std::sqrt(v), meanSquare = raw / count;
        for (std::size_t i = 0; i < n; ++i) {
            const double z = (x.mean[row + i] - mu) / r;
            first += z * x.varianceAt(row + i);
            second += z * z * x.varianceAt(row + i);
            together += std::abs(z) * std::sqrt(x.varianceAt(row + i));
        }
        // The strided tree adds eight times on a path; one pass subtracts moments that carry those roundings
        // whole.
        const double moment = square(2 * kU) / 12 * (std::ceil(count / 256) + 9);
        const double ofVariance = onePass ? moment * square(meanSquare + 2 * mu * mu) / square(v) : moment;
        const double ofSum = roundingsOfSum(std::span(x.mean).subspan(row, n));
        const double ofMean = (ofSum / square(count) + square(ulpOf(mu, DType::f32)) / 12) / square(r);
        for (std::size_t i = 0; i < n; ++i) {
            const double z = (x.mean[row + i] - mu) / r, g = gain.mean[i];
            const double bias = call.inputs.size() == 3 ? call.inputs[2]->mean[i] : 0;
            const double own = x.varianceAt(row + i), others = std::max(0.0, second - z * z * own);
            const double through = own * square(1 - 1 / count - z * z / count) + (all - own) / square(count) +
                                   2 * z * (first - z * own) / square(count) +
                                   throughTheNorm(z, count, others, together - std::abs(z) * std::sqrt(own));
            const double difference = square(ulpOf(x.mean[row + i] - mu, DType::f32)) / 12 / square(r);
            out.mean[row + i] = z * g + bias;
            out.variance[row + i] =
                square(g / r) * std::max(0.0, through) +
                square(g) * (ofMean + difference + z * z * (ofVariance / 4 + kNormRounding));
        }
    }
    return out;
}

Field softmaxField(const OpCall& call) {
    const Field& s = *call.inputs[0];
    const std::size_t n = block::ops::rowWidth(call.shapes[0]);
    const double function = call.op.slots.maths == lower::Maths::fast ? 12 : 2;
    Field out{std::vector<double>(s.mean.size()), std::vector<double>(s.mean.size()), true};
    for (std::size_t row = 0; n && row + n <= s.mean.size(); row += n) {
        const double highest = *std::max_element(&s.mean[row], &s.mean[row] + n);
        if (highest == -INFINITY) continue; // fully masked: zeros
        double sum = 0, together = 0;
        for (std::size_t i = 0; i < n; ++i) sum += out.mean[row + i] = std::exp(s.mean[row + i] - highest);
        for (std::size_t i = 0; i < n; ++i) {
            out.mean[row + i] /= sum;
            if (out.mean[row + i] > 0) together += square(out.mean[row + i]) * s.varianceAt(row + i);
        }
        for (std::size_t i = 0; i < n; ++i) {
            const double p = out.mean[row + i];
            if (p == 0) continue;
            const double below = s.mean[row + i] - highest;
            out.variance[row + i] = p * p * ((1 - 2 * p) * s.varianceAt(row + i) + together) +
                                    square(p * kU) * (function + 2 + below * below) / 3;
        }
    }
    return out;
}

Field sumField(const OpCall& call) {
    const Field& x = *call.inputs[0];
    const std::size_t k = block::ops::rowWidth(call.shapes[0]), rows = k ? x.mean.size() / k : 0;
    const auto model = local::sumModel(call.op.slots, {}, false, local::Order::known);
    const std::vector<double> ones(k, 1.0);
    Field out{std::vector<double>(rows), std::vector<double>(rows), true};
    for (std::size_t first = 0; first < rows; first += local::kWidth) {
        const std::size_t width = std::min(local::kWidth, rows - first);
        std::vector<double> panel(k * local::kWidth);
        SpreadSums sums{};
        for (std::size_t j = 0; j < width; ++j)
            for (std::size_t i = 0; i < k; ++i) {
                panel[i * local::kWidth + j] = x.mean[(first + j) * k + i];
                sums.variance[j] += x.varianceAt((first + j) * k + i);
            }
        SpreadTerms terms;
        terms.a = ones.data(), terms.panel = panel.data();
        spreadPanel(model, terms, k, sums);
        std::copy_n(sums.s, width, &out.mean[first]);
        std::copy_n(sums.variance, width, &out.variance[first]);
    }
    return out;
}

Result<Field> scatterField(const OpCall& call) {
    const std::int64_t rows = block::integerOr(call.op.attributes, "rows", 0);
    const auto index = block::ops::tensorOfDoubles(call.shapes[0], call.inputs[0]->mean);
    const auto targets = block::ops::rowIndices(index, rows);
    if (!targets) return targets.error();
    const Field& x = *call.inputs[1];
    const std::size_t width = block::ops::rowWidth(call.shapes[1]),
                      size = static_cast<std::size_t>(rows) * width;
    Field out{std::vector<double>(size), std::vector<double>(size), true};
    for (std::size_t i = 0; i < targets->size(); ++i)
        for (std::size_t j = 0; j < width; ++j) {
            const std::size_t to = (*targets)[i] * width + j, from = i * width + j;
            out.mean[to] += x.mean[from];
            out.variance[to] += x.varianceAt(from) + square(ulpOf(out.mean[to], DType::f32)) / 12;
        }
    return out;
}

} // namespace divdet::envelope
