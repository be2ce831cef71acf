// Included once per instruction set, with DIVDET_EIGEN_PRODUCT naming the function.
#include <Eigen/Core>

#include "bench/eigen_sgemm/eigen_sgemm.h"

namespace eigen_sgemm {

void DIVDET_EIGEN_PRODUCT(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b,
                          float* c) {
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto rows = static_cast<Eigen::Index>(m), columns = static_cast<Eigen::Index>(n),
               inner = static_cast<Eigen::Index>(k);
    Eigen::Map<Matrix>(c, rows, columns).noalias() =
        Eigen::Map<const Matrix>(a, rows, inner) * Eigen::Map<const Matrix>(b, inner, columns);
}

} // namespace eigen_sgemm
