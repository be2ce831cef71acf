#pragma once
#include <span>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "lower/lowered.h"
#include "numerics/tensor_core_spec.h"
#include "tensor/tensor.h"

namespace divdet::local {

/// One matrix product as the multipliers see it: operands in the declared precision, as doubles (codes where
/// they are quantised), and the scales with which the sum comes back. Row-major: a [m, k], b [k, n].
struct Product {
    std::size_t m = 0, k = 0, n = 0;
    std::span<const double> a, b; ///< of the numbers given to Products where nothing is rounded, else own
    std::vector<double> ownA, ownB;
    numerics::TcSpec spec{};                     ///< exists() when the tensor core multiplies
    bool integers = false;                       ///< the sum is exact
    std::vector<double> rowScales, columnScales; ///< empty: none
    std::vector<double> slackA;                  ///< of elements of a whose code may be one off; empty: none

    Product() = default;
    Product(Product&&) = default; // a moved vector keeps its memory, and so do the views
    Product& operator=(Product&&) = default;
    Product(const Product&) = delete;
    Product& operator=(const Product&) = delete;
    ~Product() = default;
    /// The operands as numbers of this product alone, to be written to; what was there is not kept.
    std::vector<double>& writeA();
    std::vector<double>& writeB();
};

/// The products behind a matmul (one per matrix of the batch) or a conv2d (one per group), with the way their
/// elements lie in the output.
class Products {
public:
    /// Errors: mismatch for shapes that do not go together, unsupported for operands the architecture has no
    /// instruction for, refused for windows beyond memory. `ties`: int8 codes may be one off where x / scale
    /// lies on the edge between two, because a foreign kernel may multiply by the reciprocal.
    static Result<Products> of(const lower::LoweredOp& op, std::span<const Tensor> inputs,
                               numerics::Arch arch, bool ties);
    /// The same of numbers in double, which must outlive the object.
    static Result<Products> of(const lower::LoweredOp& op, std::span<const Shape> shapes,
                               std::span<const double> a, std::span<const double> b, numerics::Arch arch,
                               bool ties);

    std::size_t count() const { return m_batch; }
    std::size_t columns() const { return m_n; }
    Product product(std::size_t i) const;
    std::span<const double> a(std::size_t i) const { return m_a.subspan(i * m_m * m_k, m_m * m_k); }
    std::span<const double> b(std::size_t i) const {
        return m_b.subspan(m_b.size() == m_k * m_n ? 0 : i * m_k * m_n, m_k * m_n);
    }
    bool windows() const { return m_places > 0; } ///< of a convolution: operands are gathered, not as given

    /// Flat index in the op's output of element (row, column) of product i.
    std::size_t outputAt(std::size_t i, std::size_t row, std::size_t column) const;
    /// The inverse of outputAt().
    struct Place {
        std::size_t product, row, column;
    };
    Place placeOf(std::size_t output) const;
    /// Index of the bias of column `column` of product i.
    std::size_t biasAt(std::size_t i, std::size_t column) const;
    std::size_t outputs() const { return m_batch * m_m * m_n; }

private:
    Status unfold(std::span<const Shape> shapes, std::span<const double> x, std::span<const double> w);

    const lower::LoweredOp* m_op = nullptr;
    numerics::Arch m_arch{};
    bool m_ties = false;
    std::size_t m_batch = 1, m_m = 0, m_k = 0, m_n = 0;
    std::size_t m_places = 0, m_channels = 0; ///< convolution: output places, channels; else 0
    std::span<const double> m_a, m_b;         ///< all products, one after the other
    std::vector<double> m_ownA, m_ownB;       ///< their numbers, where nobody else keeps them
};

} // namespace divdet::local
