#include <algorithm>

#include <Eigen/Core>

#include "block/op_def.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr Eigen::Index kRowsPerStep = 64; ///< between two looks at the cancel token

/// a [m, k] · b [k, n] (+ bias [n]) = [m, n].
Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    if (in[0].size() != 2 || in[1].size() != 2) return shapeError("matmul needs two matrices", in.first(2));
    if (in[0][1] != in[1][0]) return shapeError("inner sizes of matmul differ", in.first(2));
    if (in.size() == 3 && in[2] != Shape{in[1][1]})
        return shapeError("the bias needs one number per output column", in);
    return Shape{in[0][0], in[1][1]};
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress& progress) {
    const auto a = doubles(in[0]), b = doubles(in[1]);
    const Eigen::Index m = in[0].shape()[0], k = in[0].shape()[1], n = in[1].shape()[1];
    const Eigen::Map<const RowMajor> left(a.data(), m, k), right(b.data(), k, n);
    TensorBuilder out(DType::f64, {m, n});
    Eigen::Map<RowMajor> product(out.as<double>().data(), m, n);
    for (Eigen::Index row = 0; row < m; row += kRowsPerStep) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
        const Eigen::Index rows = std::min(kRowsPerStep, m - row);
        product.middleRows(row, rows).noalias() = left.middleRows(row, rows) * right;
    }
    if (in.size() == 3) {
        const auto bias = doubles(in[2]);
        product.rowwise() += Eigen::Map<const Eigen::RowVectorXd>(bias.data(), n);
    }
    return std::move(out).finish();
}

} // namespace

const OpDef& matmul() {
    static const OpDef def{OpKind::matmul,
                           "matmul",
                           "Matrix product of rows by weight columns, with an optional bias",
                           2,
                           3,
                           {},
                           {.matrixProduct = true, .longSum = true},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
