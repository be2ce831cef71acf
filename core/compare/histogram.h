#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "compare/tolerance.h"

namespace divdet {

struct CountBounds {
    std::int64_t low = 0;
    std::int64_t high = 0;
};

/// Counts of elements over (log2 |r|, log2 |c − r|), two bins per power of two; finite pairs only. The first
/// bin of each axis holds exact zeros, the second everything below the range, the last everything above.
class ErrorHistogram {
public:
    static constexpr int kBinsPerOctave = 2;
    static constexpr int kMagnitudeLow = -64, kMagnitudeHigh = 32; ///< log2 |r|
    /// Where an octave is halved: the first 20 bits of the fraction of sqrt(2), rounded up, so that the upper
    /// word of a double tells its bin.
    static constexpr std::uint32_t kHalfOctave = 0x6A09F;
    static constexpr int kErrorLow = -96, kErrorHigh = 32; ///< log2 |c − r|
    static constexpr int kColumns = kBinsPerOctave * (kMagnitudeHigh - kMagnitudeLow) + 3;
    static constexpr int kRows = kBinsPerOctave * (kErrorHigh - kErrorLow) + 3;

    void add(double magnitude, double error) { ++at(column(magnitude), row(error)); }
    void merge(const ErrorHistogram& other);
    /// Adds counts at cells row·stride + column.
    void merge(const std::uint32_t* cells, int stride);

    std::int64_t count(int column, int row) const {
        return m_counts.empty() ? 0 : m_counts[cell(column, row)];
    }
    bool empty() const { return m_counts.empty(); }
    /// Sets one count: for results read from a file.
    void set(int column, int row, std::int64_t n) {
        if (m_counts.empty()) m_counts.resize(static_cast<std::size_t>(kColumns) * kRows);
        m_counts[cell(column, row)] = n;
    }

    static int column(double magnitude);
    static int row(double error);
    /// [low, high) of a bin in linear units; the zero bin is [0, 0], the last one ends at infinity.
    static std::pair<double, double> columnRange(int column);
    static std::pair<double, double> rowRange(int row);

    /// How many finite elements fail at t, from whole bins: exact when no bin is cut by the bound.
    CountBounds mismatches(const Tolerance& t) const;

private:
    static std::size_t cell(int column, int row) {
        return static_cast<std::size_t>(row) * kColumns + static_cast<std::size_t>(column);
    }
    std::int64_t& at(int column, int row) {
        if (m_counts.empty()) m_counts.resize(static_cast<std::size_t>(kColumns) * kRows);
        return m_counts[cell(column, row)];
    }
    std::vector<std::int64_t> m_counts;
};

} // namespace divdet
