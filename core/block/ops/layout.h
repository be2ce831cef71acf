#pragma once
#include <string_view>
#include <vector>

#include "base/result.h"
#include "block/attributes.h"
#include "tensor/shape.h"
#include "tensor/tensor.h"

/// Where the elements of the ops that only move data come from; reference and backends share it.
namespace divdet::block::ops {

/// A row-major output read from strided places of the input.
struct Layout {
    Shape shape;
    std::vector<std::int64_t> strides; ///< of the input, in elements, per output dimension
};

/// transpose: attribute `perm`, "0,2,1"; absent: the last two dimensions change places. Errors: mismatch for
/// a perm that is none of the input's dimensions, or fewer than two dimensions.
Result<Layout> transposeLayout(const Shape& input, const Attributes& attributes);

/// split_heads: [tokens, width] -> [heads, tokens, width / heads]; attribute `heads` must divide width. With
/// the attribute `window` the rows are texts of that many tokens, one behind the other, and the result is
/// [windows, heads, window, width / heads]; fewer tokens than a window are one short text. Error: mismatch
/// where either does not divide.
Result<Layout> splitHeadsLayout(const Shape& input, const Attributes& attributes);

/// merge_heads: [(windows,) heads, tokens, size] -> [(windows ·) tokens, heads · size], the inverse of
/// split_heads. The layout has the dimensions (windows,) tokens, heads, size; mergedShape is the op's.
Result<Layout> mergeHeadsLayout(const Shape& input);
Shape mergedShape(const Layout& merge);

/// The elements of `from` as fp64 in the order of the layout, whose elements `shape` groups: the reference
/// of all ops that move.
Tensor moved64(const Tensor& from, const Layout& layout, Shape shape);

/// copy(to, from, n) for every run of n consecutive input elements at `from` that become outputs `to`, to+1 …
template <class Copy>
void forEachRun(const Layout& layout, const Copy& copy) {
    const std::size_t rank = layout.shape.size();
    const bool together = rank && layout.strides[rank - 1] == 1;
    const std::int64_t run = together ? layout.shape[rank - 1] : 1;
    const std::size_t outer = together ? rank - 1 : rank;
    std::int64_t runs = 1;
    for (std::size_t d = 0; d < outer; ++d) runs *= layout.shape[d];
    std::vector<std::int64_t> at(outer);
    std::int64_t from = 0;
    for (std::int64_t i = 0; i < runs; ++i) {
        copy(static_cast<std::size_t>(i * run), static_cast<std::size_t>(from),
             static_cast<std::size_t>(run));
        for (std::size_t d = outer; d-- > 0;) {
            from += layout.strides[d];
            if (++at[d] < layout.shape[d]) break;
            from -= layout.strides[d] * layout.shape[d];
            at[d] = 0;
        }
    }
}

} // namespace divdet::block::ops
