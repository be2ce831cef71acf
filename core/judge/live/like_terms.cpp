#include "judge/live/like_terms.h"

#include <algorithm>
#include <set>
#include <vector>

#include "block/ops/support.h"
#include "judge/local/allowed_at.h"
#include "judge/local/operands.h"

namespace divdet {
namespace {

constexpr std::size_t kLooked = 256; ///< terms of a sum
constexpr std::size_t kFew = 16;     ///< values among them

bool few(const std::vector<double>& terms) {
    return std::set<double>(terms.begin(), terms.end()).size() <= kFew;
}

std::vector<double> termsOfRow(const std::vector<double>& x, std::size_t width, std::size_t row) {
    const auto from = x.begin() + static_cast<std::ptrdiff_t>(row * width);
    return {from, from + static_cast<std::ptrdiff_t>(std::min(width, kLooked))};
}

std::vector<double> termsOfProduct(const local::Product& p, std::size_t row, std::size_t column) {
    std::vector<double> out;
    for (std::size_t k = 0; k < std::min(p.k, kLooked); ++k)
        out.push_back(p.a[row * p.k + k] * p.b[k * p.n + column]);
    return out;
}

} // namespace

bool termsAreAlike(const local::RecordedRun& run, std::size_t at, std::span<const std::int64_t> outputs) {
    const lower::LoweredOp& op = run.declared.ops[at];
    if (outputs.empty()) return false;
    const auto read = local::operandsAt(run, at);
    if (!read) return true;
    std::size_t alike = 0;
    if (op.kind == block::OpKind::reduce_sum) {
        const auto x = block::ops::doubles((*read)[0]);
        const std::size_t width = block::ops::rowWidth((*read)[0].shape());
        for (const auto i : outputs) alike += few(termsOfRow(x, width, static_cast<std::size_t>(i)));
    } else if (block::opDef(op.kind).traits.matrixProduct) {
        const auto products = local::Products::of(op, *read, run.arch, false);
        if (!products) return true;
        std::size_t number = 0;
        local::Product p = products->product(0);
        for (const auto i : outputs) {
            const auto from = products->placeOf(static_cast<std::size_t>(i));
            if (from.product != number) p = products->product(number = from.product);
            alike += few(termsOfProduct(p, from.row, from.column));
        }
    } else {
        return true;
    }
    return 2 * alike > outputs.size();
}

} // namespace divdet
