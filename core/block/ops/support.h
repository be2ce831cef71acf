#pragma once
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

namespace divdet::block::ops {

/// All elements of t in row-major order, widened exactly.
std::vector<double> doubles(const Tensor& t);

/// f64 tensor that takes over the values. Precondition: as many as the shape has.
Tensor tensorOfDoubles(Shape shape, std::span<const double> values);

/// f(x) of every element, in fp64.
template <class F>
Tensor mapped(const Tensor& t, const F& f) {
    auto x = doubles(t);
    for (double& v : x) v = f(v);
    return tensorOfDoubles(t.shape(), x);
}

/// f(a, b) of every element; b repeats when its shape is the end of a's.
template <class F>
Tensor combined(const Tensor& a, const Tensor& b, const F& f) {
    auto x = doubles(a);
    const auto y = doubles(b);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = f(x[i], y[i % y.size()]);
    return tensorOfDoubles(a.shape(), x);
}

/// in[0] where in[1] is equal to it or to its last dimensions; `what` names the op in the error.
Result<Shape> broadcastShape(std::string_view what, std::span<const Shape> in);

/// Extent of the last dimension, and how many rows of it there are. Precondition: at least one dimension.
std::size_t rowWidth(const Shape& shape);
std::size_t rowCount(const Shape& shape);

/// `row(x, width)` for every row of the last dimension, in place; cancelled between rows.
template <class F>
Result<Tensor> eachRow(const Tensor& t, const Progress& progress, const F& row) {
    auto x = doubles(t);
    const std::size_t width = rowWidth(t.shape());
    for (std::size_t at = 0; width && at + width <= x.size(); at += width) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        row(&x[at], width);
    }
    return tensorOfDoubles(t.shape(), x);
}

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
