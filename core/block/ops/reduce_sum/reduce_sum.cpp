#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

/// x [rows, k] -> [rows]: sums along the last dimension.
Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    if (in[0].size() != 2) return shapeError("reduce_sum needs a matrix", in);
    return Shape{in[0][0]};
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress& progress) {
    const auto x = doubles(in[0]);
    const auto k = static_cast<std::size_t>(in[0].shape()[1]);
    TensorBuilder out(DType::f64, {in[0].shape()[0]});
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
    static const OpDef def{OpKind::reduce_sum, "reduce_sum", "Sum of each row", 1, 1, {},
                           {.longSum = true},  shape,        reference64};
    return def;
}

} // namespace divdet::block::ops
