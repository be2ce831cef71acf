#include "judge/live/missing_terms.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "block/ops/support.h"
#include "judge/local/operands.h"

namespace divdet {
namespace {

constexpr std::size_t kSample = 48;

/// Whether every sampled output of product `i` may be the sum of its first k terms, for each k.
void narrow(const local::Products& products, std::size_t i, std::size_t samples, DType storage,
            const std::vector<double>& stored, std::vector<bool>& possible) {
    const local::Product p = products.product(i);
    possible.resize(p.k, true);
    const std::size_t size = p.m * p.n, count = std::min(samples, size);
    for (std::size_t at = 0; at < count; ++at) {
        const std::size_t row = at * size / count / p.n, column = at * size / count % p.n;
        const double scale = p.rowScales.empty() ? 1 : p.rowScales[row] * p.columnScales[column];
        const double c = stored[products.outputAt(i, row, column)];
        double sum = 0, magnitude = 0;
        for (std::size_t k = 0; k < p.k; ++k) {
            // Generous, for any order: it only has to tell lengths apart.
            const double slack = 16 * local::kU * magnitude * std::sqrt(static_cast<double>(k) + 1) * scale +
                                 4 * local::kU * std::abs(sum * scale);
            if (possible[k])
                possible[k] = local::score(c, storage, sum * scale, std::max(slack, 1e-300)) <= 1;
            const double term = p.a[row * p.k + k] * p.b[k * p.n + column];
            sum += term;
            magnitude += std::abs(term);
        }
    }
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
    const auto stored = block::ops::doubles(tap->tensor);
    std::vector<bool> possible;
    const std::size_t batch = std::min(products->count(), kSample);
    for (std::size_t i = 0; i < batch; ++i)
        narrow(*products, i * products->count() / batch, kSample / batch, op.slots.storage, stored, possible);
    for (std::size_t k = possible.size(); k-- > 0;)
        if (possible[k])
            return MissingTerms{static_cast<std::int64_t>(k), static_cast<std::int64_t>(possible.size())};
    return std::nullopt;
}

} // namespace divdet
