#include "judge/dot_scale.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tensor/convert.h"

namespace divdet {
namespace {

/// Norms of the rows of a [.., K] and of the columns of b [K, N].
std::vector<double> rowNorms(const TensorView& a) {
    const std::int64_t k = a.shape.back(), rows = k ? a.elements() / k : 0;
    std::vector<double> line(static_cast<std::size_t>(k)), out;
    for (std::int64_t i = 0; i < rows; ++i) {
        loadAsDouble(a, i * k, line);
        double sum = 0;
        for (const double x : line) sum += x * x;
        out.push_back(std::sqrt(sum));
    }
    return out;
}

std::vector<double> columnNorms(const TensorView& b) {
    const std::int64_t k = b.shape[0], n = b.shape[1];
    std::vector<double> line(static_cast<std::size_t>(n)), out(line.size(), 0.0);
    for (std::int64_t i = 0; i < k; ++i) {
        loadAsDouble(b, i * n, line);
        for (std::size_t j = 0; j < line.size(); ++j) out[j] += line[j] * line[j];
    }
    for (double& x : out) x = std::sqrt(x);
    return out;
}

} // namespace

std::optional<DotScale> dotScale(const PairEvidence& pair) {
    const OperatorContext& op = pair.context.op;
    if (!op.op.empty() && !op.opIs({"matmul", "linear", "gemm", "mm", "dot", "einsum"})) return {};
    const auto operands = pair.context.product(pair.reference.shape);
    if (!operands) return {};
    const auto a = rowNorms(operands->first), b = columnNorms(operands->second);
    const auto n = static_cast<std::int64_t>(b.size());
    const PairSample& s = pair.sample();
    DotScale out{operands->second.shape[0], 0, 0, 0};
    double sum = 0;
    std::int64_t counted = 0;
    for (std::size_t i = 0; i < s.index.size(); ++i) {
        const double scale =
            a[static_cast<std::size_t>(s.index[i] / n)] * b[static_cast<std::size_t>(s.index[i] % n)];
        const double e = std::fabs(s.c[i] - s.r[i]);
        if (scale == 0 && e == 0) continue;
        const double t = e / scale;
        if (!std::isfinite(t)) return {}; // not the operands of this product
        out.largest = std::max(out.largest, t);
        out.result = std::max(out.result, std::fabs(s.r[i]) / scale);
        sum += t * t;
        ++counted;
    }
    // A reference beyond its terms was made from something else.
    if (counted == 0 || out.result > 1 + 1e-3) return {};
    out.rms = std::sqrt(sum / static_cast<double>(counted));
    return out;
}

} // namespace divdet
