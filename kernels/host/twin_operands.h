#pragma once
#include <optional>

#include "block/ops/conv2d/conv_geometry.h"
#include "host/gemm.h"
#include "host/twin_ops.h"
#include "host/twin_values.h"

namespace divdet::host::twin {

/// A product op as `batch` plain products of rows by columns, one behind the other in memory. A matmul is
/// that already. A convolution is one product per group: its rows are the windows of every output place of
/// every image (zeros in the padding), its columns the group's output channels.
class ProductOperands {
public:
    /// Error: refused when the windows of a convolution would need more than kMaxBlockElements.
    static Result<ProductOperands> of(const Call& call);

    GemmShape shape() const { return m_shape; }
    std::size_t batch() const { return m_batch; }
    std::size_t aSize() const { return m_shape.m * m_shape.k; } ///< elements of one product's operand
    std::size_t bSize() const { return m_shape.k * m_shape.n; }
    std::size_t cSize() const { return m_shape.m * m_shape.n; }
    const float* a() const { return m_windows.empty() ? m_a->data() : m_windows.data(); }
    const float* b() const { return m_columns.empty() ? m_b->data() : m_columns.data(); }

    /// Elements from one product's bias to the next: 0 when all share it.
    std::size_t biasStep() const { return m_conv ? m_shape.n : 0; }

    bool isConvolution() const { return m_conv.has_value(); }
    /// Between the op's output layout and that of the products; only for a convolution.
    void toProducts(const float* output, float* products) const;
    void toOutput(const float* products, float* output) const;

private:
    Status unfold(const Call& call);

    GemmShape m_shape{};
    std::size_t m_batch = 1;
    std::optional<Floats> m_a, m_b;
    std::optional<block::ops::ConvGeometry> m_conv;
    std::vector<float> m_windows, m_columns;
};

} // namespace divdet::host::twin
