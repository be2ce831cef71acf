#include "block/op_def.h"
#include "block/ops/row_index.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

/// indices [n], source [n, width] -> [rows, width]: row r is the sum of the source rows whose index is r.
Result<Shape> shape(std::span<const Shape> in, const Attributes& attributes) {
    if (in[0].size() != 1 || in[1].size() != 2 || in[0][0] != in[1][0])
        return shapeError("scatter_add needs one index per source row", in);
    const std::int64_t rows = integerOr(attributes, "rows", 0);
    if (rows < 1) return shapeError("scatter_add needs the attribute rows, at least 1", in);
    return Shape{rows, in[1][1]};
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes& attributes,
                           const Progress& progress) {
    const std::int64_t rows = integerOr(attributes, "rows", 0);
    const auto targets = rowIndices(in[0], rows);
    if (!targets) return targets.error();
    const auto source = doubles(in[1]);
    const std::size_t width = rowWidth(in[1].shape());
    std::vector<CompensatedSum> sums(static_cast<std::size_t>(rows) * width);
    for (std::size_t i = 0; i < targets->size(); ++i) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        for (std::size_t j = 0; j < width; ++j) sums[(*targets)[i] * width + j].add(source[i * width + j]);
    }
    TensorBuilder out(DType::f64, {rows, in[1].shape()[1]});
    const auto y = out.as<double>();
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = sums[i].value();
    return std::move(out).finish();
}

} // namespace

const OpDef& scatter_add() {
    static const OpDef def{OpKind::scatter_add,
                           "scatter_add",
                           "Each row is added to the row that its index names",
                           2,
                           2,
                           {AttributeSpec{"rows", AttributeType::integer}},
                           {.longSum = true, .plainSum = true, .indexInput = 0},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
