#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

/// x [.., k] -> [..]: sums along the last dimension.
Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    if (in[0].empty()) return shapeError("reduce_sum needs at least one dimension", in);
    return Shape(in[0].begin(), in[0].end() - 1);
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress& progress) {
    const auto x = doubles(in[0]);
    const Shape& s = in[0].shape();
    const std::size_t k = rowWidth(s);
    TensorBuilder out(DType::f64, Shape(s.begin(), s.end() - 1));
    std::size_t at = 0;
    for (double& sum : out.as<double>()) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        CompensatedSum total;
        for (std::size_t i = 0; i < k; ++i) total.add(x[at++]);
        sum = total.value();
    }
    return std::move(out).finish();
}

} // namespace

const OpDef& reduce_sum() {
    static const OpDef def{OpKind::reduce_sum,
                           "reduce_sum",
                           "Sum of each row",
                           1,
                           1,
                           {},
                           {.longSum = true, .plainSum = true},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
