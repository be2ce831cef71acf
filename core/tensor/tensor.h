#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/result.h"
#include "tensor/dtype.h"
#include "tensor/shape.h"

namespace divdet {

/// A non-owning, strided window on elements. Strides are in bytes and may be 0 or negative, so Fortran order,
/// slices and mapped files need no copy. `swapped`: the bytes are big-endian (complex: each part).
struct TensorView {
    DType dtype = DType::f32;
    Shape shape;
    std::vector<std::int64_t> strides; ///< bytes per step, one per dimension
    const std::byte* data = nullptr;   ///< element [0, 0, …]
    bool swapped = false;

    std::int64_t elements() const; ///< 0 when the shape is not countable
    bool packed() const;           ///< row-major without gaps, in either byte order
    bool contiguous() const;       ///< packed and in this machine's byte order
};

/// Row-major strides in bytes for elements of `item` bytes.
std::vector<std::int64_t> rowMajorStrides(std::span<const std::int64_t> shape, std::size_t item);

/// A view with the owner of its bytes: a buffer of ours or a mapped file. Copies share the bytes, which are
/// immutable once the tensor is handed out.
class Tensor {
public:
    Tensor() = default;
    Tensor(TensorView view, std::shared_ptr<const void> owner)
        : m_view(std::move(view))
        , m_owner(std::move(owner)) {}

    const TensorView& view() const { return m_view; }
    DType dtype() const { return m_view.dtype; }
    const Shape& shape() const { return m_view.shape; }
    std::int64_t elements() const { return m_view.elements(); }

    /// Elements as T when the tensor is contiguous, T has the dtype's size and the bytes are aligned for it
    /// (those of a mapped zip member need not be: compacted() helps); empty otherwise.
    template <class T>
    std::span<const T> as() const {
        if (!m_view.contiguous() || sizeof(T) != itemSize(m_view.dtype)) return {};
        if (reinterpret_cast<std::uintptr_t>(m_view.data) % alignof(T) != 0) return {};
        return {reinterpret_cast<const T*>(m_view.data), static_cast<std::size_t>(elements())};
    }

private:
    TensorView m_view;
    std::shared_ptr<const void> m_owner;
};

/// A contiguous buffer being filled; `finish` freezes it into a Tensor. Bytes start at zero.
class TensorBuilder {
public:
    /// Precondition: elementCount(shape) fits memory; callers that read files check against the file first.
    TensorBuilder(DType dtype, Shape shape);

    template <class T>
    std::span<T> as() {
        return {reinterpret_cast<T*>(m_bytes->data()), m_bytes->size() / sizeof(T)};
    }
    std::span<std::byte> bytes() { return {m_bytes->data(), m_bytes->size()}; }
    Tensor finish() &&;

private:
    DType m_dtype;
    Shape m_shape;
    std::shared_ptr<std::vector<std::byte>> m_bytes;
};

/// Tensor of the given values; T is double, float or one of the fixed-width integers (bool as std::uint8_t).
template <class T>
Tensor tensorOf(DType dtype, Shape shape, std::span<const T> values) {
    TensorBuilder b(dtype, std::move(shape));
    auto out = b.as<T>();
    for (std::size_t i = 0; i < out.size() && i < values.size(); ++i) out[i] = values[i];
    return std::move(b).finish();
}

} // namespace divdet
