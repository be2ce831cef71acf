#pragma once
#include "cuda/module/multiply.h"

/// What reaches the multipliers of a product: operands in the precision that the slots ask for, and the
/// scales with which the sums come back (host: host/multiplier.h).
namespace divdet::cuda {

/// fp32 arrays that hold what is multiplied: rounded values, or codes.
struct OperandView {
    GemmShape shape;
    const float* a;
    const float* b;
    std::size_t lda, ldb;
    bool integers;         ///< int8 codes
    numerics::TcSpec spec; ///< exists() when the tensor core multiplies floats

    Operands operands() const { return {a, b, lda, ldb}; }
    MmaKind kind() const; ///< precondition: integers or spec.exists()
};

bool onTensorCore(const Slots& slots);
/// Of the instruction for the operand; not existing where there is none.
numerics::TcSpec specOf(const Slots& slots, numerics::Arch arch);

class Multiplier {
public:
    /// a and b must outlive the object: what needs no rounding is used in place.
    Multiplier(const ProductContext& on, GemmShape shape, const float* a, const float* b);

    const OperandView& view() const { return m_view; } ///< k without a dropped tail
    bool scaled() const { return static_cast<bool>(m_rowScales); }
    void scaleBack(StartValues start, float* c) const;

private:
    void quantizeInt8();
    void quantizeF8();
    void roundOperands();

    const ProductContext& m_on;
    cudaStream_t m_stream;
    OperandView m_view;
    Floats m_a, m_b, m_rowScales, m_columnScales;
    std::size_t m_rowStep = 1, m_columnStep = 1;
};

} // namespace divdet::cuda
