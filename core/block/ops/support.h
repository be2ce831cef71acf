#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

namespace divdet::block::ops {

/// All elements of t in row-major order, widened exactly.
std::vector<double> doubles(const Tensor& t);

/// f64 tensor that takes over the values. Precondition: as many as the shape has.
Tensor tensorOfDoubles(Shape shape, std::span<const double> values);

/// Sum with a running compensation (Neumaier 1974): the error is about one rounding of the result.
class CompensatedSum {
public:
    void add(double x);
    double value() const { return m_sum + m_lost; }

private:
    double m_sum = 0, m_lost = 0;
};

/// Error mismatch, with the shapes at hand in the message; the caller's op adds its name.
Error shapeError(std::string what, std::span<const Shape> inputs);

} // namespace divdet::block::ops
