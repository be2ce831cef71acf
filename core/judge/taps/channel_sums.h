#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tensor/shape.h"

namespace divdet {

/// Sums of squares per index of each axis, and per row (the run along the last axis). An axis is looked at
/// when it has 16 to 2^20 indices of at least 8 elements each: with fewer, a channel's rms is no statistic
/// (its relative standard error is 1/√(2n)), and there is no median channel to speak of.
class ChannelSums {
public:
    /// `unit`: half an ulp of 1, for rowUlps.
    ChannelSums(const Shape& shape, double unit);

    /// The next elements in row-major order; at most a row's worth at a time is needed, any number is taken.
    void add(std::span<const double> reference, std::span<const double> candidate);

    struct Axis {
        std::vector<double> error, signal, mean; ///< Σ(c−r)², Σr², Σr per index; empty: not looked at
        std::int64_t perIndex = 0;               ///< elements of an index
    };
    const std::vector<Axis>& axes() const { return m_axes; }

    double error() const { return m_total.error; }   ///< Σ(c−r)²
    double signal() const { return m_total.signal; } ///< Σr²
    double largest() const { return m_largest; }     ///< max |r|
    double rowUlps() const;                          ///< rms over all elements
    std::vector<double> meanShare() const;           ///< as in TapFacts

private:
    struct Sums {
        double error = 0, signal = 0, mean = 0;
        void operator+=(const Sums& o) { error += o.error, signal += o.signal, mean += o.mean; }
    };
    void addPart(const double* r, const double* c, std::int64_t n);
    void endRow();

    Shape m_shape;
    double m_unit;
    std::int64_t m_row = 1, m_elements = 0; ///< length of a row; elements of the tensor
    std::int64_t m_column = 0;
    std::vector<std::int64_t> m_at; ///< index of the row, without the last axis
    std::vector<Axis> m_axes;
    Sums m_total, m_rowSums;
    double m_withinRows = 0, m_ulps2 = 0, m_largest = 0;
};

} // namespace divdet
