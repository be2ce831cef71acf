#include "judge/local/row_bounds.h"

#include <algorithm>
#include <cmath>

#include "block/ops/row_index.h"
#include "block/ops/support.h"
#include "judge/local/ordered_sums.h"

namespace divdet::local {
namespace {

using block::ops::doubles;
using block::ops::rowWidth;

constexpr double kFunction = 4 * kU; ///< exp and rsqrt are good to 2 ulp on every device
constexpr double kTiny = 0x1p-149;
constexpr double kSpare = 1.01; ///< products of small terms that the bounds leave out

double mean(const double* x, std::size_t n) {
    block::ops::CompensatedSum sum;
    for (std::size_t i = 0; i < n; ++i) sum.add(x[i]);
    return sum.value() / static_cast<double>(n);
}

/// Factor by which 1/sqrt(v) may grow or shrink when v is off by the share `error` of itself.
double inverseRootError(double error) {
    return error < 1 ? std::max(1 / std::sqrt(1 - error) - 1, error / 2) : INFINITY;
}

} // namespace

Result<Allowed> rmsNormBound(const lower::LoweredOp& op, std::span<const Tensor> inputs) {
    const auto x = doubles(inputs[0]), gain = doubles(inputs[1]);
    const std::size_t n = gain.size();
    const double eps = static_cast<float>(block::numberOr(op.attributes, "eps", 0));
    Allowed out{std::vector<double>(x.size()), std::vector<double>(x.size())};
    const double each = kU * ((static_cast<double>(n) + 2) / 2 + 8);
    for (std::size_t row = 0; n && row + n <= x.size(); row += n) {
        block::ops::CompensatedSum squares;
        for (std::size_t i = 0; i < n; ++i) squares.add(x[row + i] * x[row + i]);
        const double root = std::sqrt(squares.value() / static_cast<double>(n) + eps);
        for (std::size_t i = 0; i < n; ++i) {
            const double y = x[row + i] / root * gain[i];
            out.exact[row + i] = y;
            out.bound[row + i] = std::abs(y) * each + kTiny;
        }
    }
    return out;
}

Result<Allowed> layerNormBound(const lower::LoweredOp& op, std::span<const Tensor> inputs) {
    const auto x = doubles(inputs[0]), gain = doubles(inputs[1]);
    const std::size_t n = gain.size();
    const auto bias = inputs.size() == 3 ? doubles(inputs[2]) : std::vector<double>(n);
    const double eps = static_cast<float>(block::numberOr(op.attributes, "eps", 0));
    const bool onePass = op.slots.formula == lower::Formula::onePassVariance;
    const auto count = static_cast<double>(n);
    Allowed out{std::vector<double>(x.size()), std::vector<double>(x.size())};
    for (std::size_t row = 0; n && row + n <= x.size(); row += n) {
        const double mu = mean(&x[row], n);
        block::ops::CompensatedSum squares, sizes, raw;
        double largest = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const double d = x[row + i] - mu;
            squares.add(d * d);
            sizes.add(std::abs(x[row + i]));
            raw.add(x[row + i] * x[row + i]);
            largest = std::max(largest, std::abs(x[row + i]));
        }
        const double v = squares.value() / count, root = std::sqrt(v + eps);
        const double ofMean = (count + 1) * kU * sizes.value() / count;
        // Two passes: a wrong mean enters the variance squared. One pass: both moments carry their roundings
        // in full, and the difference of the two is all that is left of them.
        const double twoPass = (count + 3) * kU + 2 * kU * largest / root + (ofMean / root) * (ofMean / root);
        const double moments =
            ((count + 3) * kU * raw.value() / count + 2 * std::abs(mu) * ofMean) / (v + eps);
        const double ofVariance = onePass ? moments : twoPass;
        const double factor = inverseRootError(ofVariance) + kFunction + 4 * kU;
        for (std::size_t i = 0; i < n; ++i) {
            const double d = x[row + i] - mu, scaled = d / root * gain[i];
            out.exact[row + i] = scaled + bias[i];
            out.bound[row + i] = std::abs(gain[i]) / root * (ofMean + kU * std::abs(d)) * (1 + factor) +
                                 std::abs(scaled) * factor + kU * std::abs(scaled + bias[i]) + kTiny;
        }
    }
    return out;
}

Result<Allowed> softmaxBound(const lower::LoweredOp&, std::span<const Tensor> inputs) {
    auto p = doubles(inputs[0]);
    const std::size_t n = rowWidth(inputs[0].shape());
    Allowed out{std::vector<double>(p.size()), std::vector<double>(p.size())};
    std::vector<double> e(n);
    for (std::size_t row = 0; n && row + n <= p.size(); row += n) {
        double highest = -INFINITY;
        bool nan = false;
        for (std::size_t i = 0; i < n; ++i) {
            nan = nan || std::isnan(p[row + i]);
            highest = std::max(highest, p[row + i]);
        }
        if (!nan && highest == -INFINITY) continue; // fully masked: zeros
        block::ops::CompensatedSum sum;
        for (std::size_t i = 0; i < n; ++i) {
            const double below = p[row + i] - highest;
            // Error of exp, and of the rounded difference that it is taken of.
            e[i] = below == -INFINITY ? 0 : kFunction + 3 * kU * std::abs(below);
            p[row + i] = std::exp(below);
            sum.add(p[row + i]);
        }
        double average = 0;
        for (std::size_t i = 0; i < n; ++i) {
            p[row + i] /= sum.value();
            average += p[row + i] * e[i];
        }
        for (std::size_t i = 0; i < n; ++i) {
            out.exact[row + i] = p[row + i];
            const double error = e[i] + average + (static_cast<double>(n) + 4) * kU;
            out.bound[row + i] = p[row + i] * error * kSpare + (p[row + i] > 0 ? 2 * kTiny : 0);
        }
    }
    return out;
}

Result<Allowed> reduceSumBound(const lower::LoweredOp& op, std::span<const Tensor> inputs, Order order,
                               const Progress& progress) {
    const auto x = doubles(inputs[0]);
    const std::size_t k = rowWidth(inputs[0].shape()), rows = k ? x.size() / k : 0;
    // As one row of ones times a matrix whose columns are the rows: the sums then travel side by side.
    Product p;
    p.m = 1, p.k = k, p.n = rows;
    std::ranges::fill(p.writeA(), 1.0);
    auto& columns = p.writeB();
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < k; ++i) columns[i * rows + r] = x[r * k + i];
    Allowed out{std::vector<double>(rows), std::vector<double>(rows)};
    const SumModel model = sumModel(op.slots, {}, false, order);
    if (auto s = orderedProduct(model, p, nullptr, out.exact, out.bound, progress); !s) return s.error();
    return out;
}

Result<Allowed> scatterAddBound(const lower::LoweredOp& op, std::span<const Tensor> inputs, Order order) {
    const std::int64_t rows = block::integerOr(op.attributes, "rows", 0);
    const auto targets = block::ops::rowIndices(inputs[0], rows);
    if (!targets) return targets.error();
    const auto source = doubles(inputs[1]);
    const std::size_t width = rowWidth(inputs[1].shape()), size = static_cast<std::size_t>(rows) * width;
    std::vector<double> terms(size), sizes(size);
    Allowed out{std::vector<double>(size), std::vector<double>(size)};
    for (std::size_t i = 0; i < targets->size(); ++i)
        for (std::size_t j = 0; j < width; ++j) {
            const std::size_t at = (*targets)[i] * width + j;
            const double x = source[i * width + j];
            out.exact[at] += x;
            sizes[at] += std::abs(x);
            out.bound[at] += kU * std::abs(out.exact[at]);
            terms[at] += 1;
        }
    const bool published = order == Order::known && op.slots.order == lower::SumOrder::published;
    for (std::size_t at = 0; at < size; ++at)
        out.bound[at] = (published ? out.bound[at] : terms[at] * kU * sizes[at]) * 1.02 + kTiny;
    return out;
}

} // namespace divdet::local
