#include "judge/live/missing_terms.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "block/ops/support.h"
#include "judge/local/operands.h"

namespace divdet {
namespace {

constexpr std::size_t kSample = 48;

/// Outputs spread over the first product.
std::vector<std::size_t> sample(std::size_t size) {
    std::vector<std::size_t> out;
    const std::size_t count = std::min(kSample, size);
    for (std::size_t i = 0; i < count; ++i) out.push_back(i * size / count);
    return out;
}

} // namespace

std::optional<MissingTerms> missingTerms(const local::RecordedRun& run, std::size_t at) {
    const lower::LoweredOp& op = run.declared.ops[at];
    const bool plain = op.kind == block::OpKind::matmul && op.ownInputs == 2 && op.fused.empty();
    if (!plain) return std::nullopt;
    const auto read = local::inputsRead(run, at);
    const run::Tap* tap = run.candidate.find(run.declared.block.graph.values[op.output].name);
    if (!read || !tap) return std::nullopt;
    const auto products = local::Products::of(op, *read, run.arch, false);
    if (!products || products->outputs() == 0) return std::nullopt;
    const local::Product p = products->product(0);
    const auto stored = block::ops::doubles(tap->tensor);
    std::vector<bool> possible(p.k, true); // by terms kept
    for (const std::size_t i : sample(p.m * p.n)) {
        const std::size_t row = i / p.n, column = i % p.n;
        const double scale = p.rowScales.empty() ? 1 : p.rowScales[row] * p.columnScales[column];
        const double c = stored[products->outputAt(0, row, column)];
        double sum = 0, size = 0;
        for (std::size_t k = 0; k < p.k; ++k) {
            // Any order's bound, generous: this only tells lengths apart.
            const double slack = (16 * local::kU * size * std::sqrt(static_cast<double>(k) + 1)) * scale +
                                 4 * local::kU * std::abs(sum * scale);
            if (possible[k])
                possible[k] = local::score(c, op.slots.storage, sum * scale, std::max(slack, 1e-300)) <= 1;
            const double term = p.a[row * p.k + k] * p.b[k * p.n + column];
            sum += term;
            size += std::abs(term);
        }
    }
    for (std::size_t k = p.k; k-- > 0;)
        if (possible[k]) return MissingTerms{static_cast<std::int64_t>(k), static_cast<std::int64_t>(p.k)};
    return std::nullopt;
}

} // namespace divdet
