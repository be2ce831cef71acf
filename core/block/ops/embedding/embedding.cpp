#include <algorithm>

#include "block/op_def.h"
#include "block/ops/row_index.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

/// indices [..], table [rows, width] -> [.., width].
Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    if (in[1].size() != 2) return shapeError("embedding needs a table of rows", in);
    Shape out = in[0];
    out.push_back(in[1][1]);
    return out;
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes& attributes, const Progress&) {
    auto rows = rowIndices(in[0], in[1].shape()[0]);
    if (!rows) return rows.error();
    const Shape shapes[] = {in[0].shape(), in[1].shape()};
    const auto table = doubles(in[1]);
    const std::size_t width = rowWidth(in[1].shape());
    TensorBuilder out(DType::f64, *shape(shapes, attributes));
    const auto y = out.as<double>();
    for (std::size_t i = 0; i < rows->size(); ++i)
        std::copy_n(&table[(*rows)[i] * width], width, &y[i * width]);
    return std::move(out).finish();
}

} // namespace

const OpDef& embedding() {
    static const OpDef def{
        OpKind::embedding, "embedding", "The table's row for each index", 2, 2, {}, {.indexInput = 0}, shape,
        reference64};
    return def;
}

} // namespace divdet::block::ops
