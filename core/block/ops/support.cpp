#include "block/ops/support.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "tensor/convert.h"

namespace divdet::block::ops {

std::vector<double> doubles(const Tensor& t) {
    std::vector<double> out(static_cast<std::size_t>(t.elements()));
    constexpr std::size_t kGrain = 65'536; // elements: below it threads cost more than they save
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, out.size(), kGrain), [&](const auto& range) {
        loadAsDouble(t.view(), static_cast<std::int64_t>(range.begin()),
                     std::span(out).subspan(range.begin(), range.size()));
    });
    return out;
}

Tensor tensorOfDoubles(Shape shape, std::span<const double> values) {
    return tensorOf<double>(DType::f64, std::move(shape), values);
}

Result<Shape> broadcastShape(std::string_view what, std::span<const Shape> in) {
    const Shape &a = in[0], &b = in[1];
    if (b.size() <= a.size() && std::equal(b.rbegin(), b.rend(), a.rbegin())) return a;
    return shapeError(
        fmt::format("{} needs two equal shapes, or a second that is the end of the first", what), in);
}

std::size_t rowWidth(const Shape& shape) {
    return static_cast<std::size_t>(shape.back());
}

std::size_t rowCount(const Shape& shape) {
    std::int64_t rows = 1;
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) rows *= shape[i];
    return static_cast<std::size_t>(rows);
}

void CompensatedSum::add(double x) {
    const double sum = m_sum + x;
    // With an infinite or NaN sum there is nothing to compensate, and inf - inf would turn inf into NaN.
    if (std::isfinite(sum))
        m_lost += std::fabs(m_sum) >= std::fabs(x) ? (m_sum - sum) + x : (x - sum) + m_sum;
    m_sum = sum;
}

Error shapeError(std::string what, std::span<const Shape> inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) what += (i ? ", " : ": ") + toString(inputs[i]);
    return {ErrorCode::mismatch, std::move(what), "", ""};
}

} // namespace divdet::block::ops
