#include "tensor/tensor.h"

namespace divdet {

std::int64_t TensorView::elements() const {
    return elementCount(shape).value_or(0);
}

bool TensorView::contiguous() const {
    return packed() && !(swapped && itemSize(dtype) > 1);
}

bool TensorView::packed() const {
    auto expected = static_cast<std::int64_t>(itemSize(dtype));
    for (std::size_t d = shape.size(); d-- > 0;) {
        if (shape[d] == 0) return true;
        if (shape[d] != 1 && strides[d] != expected) return false;
        expected *= shape[d];
    }
    return true;
}

std::vector<std::int64_t> rowMajorStrides(std::span<const std::int64_t> shape, std::size_t item) {
    std::vector<std::int64_t> strides(shape.size());
    auto step = static_cast<std::int64_t>(item);
    for (std::size_t d = shape.size(); d-- > 0;) {
        strides[d] = step;
        step *= shape[d] ? shape[d] : 1;
    }
    return strides;
}

TensorBuilder::TensorBuilder(DType dtype, Shape shape)
    : m_dtype(dtype)
    , m_shape(std::move(shape))
    , m_bytes(std::make_shared<std::vector<std::byte>>(
          static_cast<std::size_t>(elementCount(m_shape).value_or(0)) * itemSize(dtype))) {}

Tensor TensorBuilder::finish() && {
    TensorView view{m_dtype, m_shape, rowMajorStrides(m_shape, itemSize(m_dtype)), m_bytes->data(), false};
    return Tensor(std::move(view), std::move(m_bytes));
}

} // namespace divdet
