#include <algorithm>

#include <Eigen/Core>

#include "block/op_def.h"
#include "block/ops/matmul/product_shape.h"
#include "block/ops/support.h"

namespace divdet::block::ops {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr Eigen::Index kRowsPerStep = 64; ///< between two looks at the cancel token

Shape outputShape(const Shape& a, std::int64_t n) {
    Shape out = a;
    out.back() = n;
    return out;
}

Result<Shape> shape(std::span<const Shape> in, const Attributes&) {
    const auto s = productShape(in);
    if (!s) return s.error();
    return outputShape(in[0], s->n);
}

Result<Tensor> reference64(std::span<const Tensor> in, const Attributes&, const Progress& progress) {
    const Shape shapes[] = {in[0].shape(), in[1].shape()};
    const ProductShape s = *productShape(shapes);
    const auto a = doubles(in[0]), b = doubles(in[1]);
    TensorBuilder out(DType::f64, outputShape(in[0].shape(), s.n));
    double* const c = out.as<double>().data();
    for (std::int64_t i = 0; i < s.batch; ++i) {
        const Eigen::Map<const RowMajor> left(a.data() + i * s.m * s.k, s.m, s.k),
            right(b.data() + i * s.k * s.n, s.k, s.n);
        Eigen::Map<RowMajor> product(c + i * s.m * s.n, s.m, s.n);
        for (Eigen::Index row = 0; row < s.m; row += kRowsPerStep) {
            if (progress.cancelled()) return Error{ErrorCode::cancelled, "cancelled", "", ""};
            const Eigen::Index rows = std::min(kRowsPerStep, s.m - row);
            product.middleRows(row, rows).noalias() = left.middleRows(row, rows) * right;
        }
    }
    if (in.size() == 3) {
        const auto bias = doubles(in[2]);
        Eigen::Map<RowMajor>(c, s.batch * s.m, s.n).rowwise() +=
            Eigen::Map<const Eigen::RowVectorXd>(bias.data(), s.n);
    }
    return std::move(out).finish();
}

} // namespace

const OpDef& matmul() {
    static const OpDef def{OpKind::matmul,
                           "matmul",
                           "Matrix product of rows by columns, with an optional bias",
                           2,
                           3,
                           {},
                           {.matrixProduct = true, .longSum = true},
                           shape,
                           reference64};
    return def;
}

} // namespace divdet::block::ops
