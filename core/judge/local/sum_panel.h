#pragma once
#include <cstddef>
#include <memory>
#include <span>

#include "judge/local/ordered_sums.h"

namespace divdet::local {

inline constexpr std::size_t kWidth = 16; ///< columns that travel together

/// Partial sums of kWidth columns and what rounding may have added to each.
struct PanelSums {
    alignas(64) double s[kWidth], e[kWidth];
};

/// Columns first … first + kWidth of a row-major matrix [k, n], one k behind the other; those beyond n are
/// zero.
std::unique_ptr<double[]> panelOf(std::span<const double> b, std::size_t k, std::size_t n, std::size_t first);

/// Adds row `a` times the panel (kWidth columns, one k behind the other) to `x` in the model's order.
void sumPanel(const SumModel& model, const double* a, const double* panel, std::size_t k, PanelSums& x);

} // namespace divdet::local
