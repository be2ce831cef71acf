#include "judge/local/ordered_sums.h"

#include <algorithm>
#include <vector>

#include <tbb/parallel_for.h>

#include "judge/local/sum_panel.h"

namespace divdet::local {
namespace {

constexpr double kFirstOrder = 1.02; ///< partial sums in double stand for the rounded ones
constexpr double kUnderflow = 0x1p-149;

} // namespace

SumModel sumModel(const lower::Slots& slots, const numerics::TcSpec& spec, bool integers, Order known) {
    SumModel m;
    m.order = slots.order;
    m.splits = static_cast<std::size_t>(std::max(1, slots.splits));
    m.partialsRounded = slots.partials != DType::f32;
    if (slots.partials == DType::bf16) m.partialUnit = 0x1p-8;
    if (slots.partials == DType::f16) m.partialUnit = 0x1p-11;
    m.spec = spec;
    m.exact = integers;
    m.known = known;
    return m;
}

Status orderedProduct(const SumModel& model, const Product& product, const double* start,
                      std::span<double> value, std::span<double> slack, const Progress& progress) {
    const std::size_t m = product.m, k = product.k, n = product.n;
    tbb::parallel_for(std::size_t{0}, (n + kWidth - 1) / kWidth, [&](std::size_t number) {
        if (progress.cancelled()) return;
        const std::size_t first = number * kWidth, width = std::min(kWidth, n - first);
        const auto panel = panelOf(product.b, k, n, first);
        for (std::size_t row = 0; row < m; ++row) {
            const std::size_t at = row * n + first;
            PanelSums x{};
            for (std::size_t j = 0; start && j < width; ++j) x.s[j] = start[at + j];
            sumPanel(model, product.a.data() + row * k, panel.get(), k, x);
            for (std::size_t j = 0; j < width; ++j) {
                value[at + j] = x.s[j];
                slack[at + j] =
                    model.exact ? 0.0 : kFirstOrder * x.e[j] + static_cast<double>(k) * kUnderflow;
            }
        }
    });
    if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
    return Done{};
}

} // namespace divdet::local
