#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include <tbb/parallel_for.h>

#include "judge/local/sum_panel.h"

/// Operands of a product as floats that stay in range, for what needs no last bits (see NarrowTerms).
namespace divdet::envelope {

/// The power of two at the largest magnitude; 1 where there is none.
inline double unitOf(double largest) {
    return largest > 0 ? std::ldexp(1.0, std::clamp(std::ilogb(largest), -500, 500)) : 1;
}

/// x[0] … x[count - 1] of each row as floats, each row in a unit of its own.
struct NarrowRows {
    std::vector<float> values;
    std::vector<double> units;

    NarrowRows() = default;
    /// `of` gives element i.
    template <class F>
    NarrowRows(std::size_t rows, std::size_t width, const F& of)
        : values(rows * width)
        , units(rows) {
        tbb::parallel_for(std::size_t{0}, rows, [&](std::size_t row) {
            double largest = 0;
            for (std::size_t i = row * width; i < (row + 1) * width; ++i)
                if (const double x = std::abs(of(i)); x > largest && std::isfinite(x)) largest = x;
            units[row] = unitOf(largest);
            const double per = 1 / units[row];
            for (std::size_t i = row * width; i < (row + 1) * width; ++i)
                values[i] = static_cast<float>(of(i) * per);
        });
    }

    const float* row(std::size_t i) const { return values.data() + i * (values.size() / units.size()); }
};

/// A panel as floats, each column in a unit of its own.
struct NarrowPanel {
    std::unique_ptr<float[]> values;
    double units[local::kWidth] = {};

    template <class F>
    NarrowPanel(std::size_t k, const double* panel, const F& of)
        : values(std::make_unique_for_overwrite<float[]>(k * local::kWidth)) {
        double largest[local::kWidth] = {};
        for (std::size_t at = 0; at < k * local::kWidth; ++at)
            largest[at % local::kWidth] = std::max(largest[at % local::kWidth], std::abs(of(panel[at])));
        double per[local::kWidth];
        for (std::size_t j = 0; j < local::kWidth; ++j) {
            units[j] = unitOf(std::isfinite(largest[j]) ? largest[j] : 0);
            per[j] = 1 / units[j];
        }
        for (std::size_t at = 0; at < k * local::kWidth; ++at)
            values[at] = static_cast<float>(of(panel[at]) * per[at % local::kWidth]);
    }

    /// All columns in the largest unit.
    void inOneUnit(std::size_t k) {
        const double unit = *std::max_element(units, units + local::kWidth);
        for (std::size_t at = 0; at < k * local::kWidth; ++at)
            values[at] *= static_cast<float>(units[at % local::kWidth] / unit);
        std::fill_n(units, local::kWidth, unit);
    }
};

} // namespace divdet::envelope
