#pragma once
#include <cstddef>
#include <cstdint>

#include "numerics/reduction.h"
#include "numerics/tensor_core.h"

/// Matrix products whose every bit is published: SIMD across output columns, never across the summation
/// order, each bit-equal to the scalar definition named beside it, on every instruction set and for any
/// number of threads. Row-major: A[m,k], B[k,n], C[m,n]; C must not overlap an input. NaNs are NaNs in the
/// same places, but only gemmTensorCore fixes their payload. k = 0 gives the start values.
namespace divdet::host {

using numerics::Order;
using numerics::SumOrder;

struct GemmShape {
    std::size_t m, n, k;
};

/// What accumulators hold before the first product (numerics/reduction.h, `start`): +0, a bias of n values
/// (fused bias) or m*n values (fused residual, or the sum of both made by the caller).
struct Start {
    const float* values = nullptr;
    bool perColumn = false; ///< n values, the same for every row

    Start() = default;
    Start(std::nullptr_t) {}
    Start(const float* matrix)
        : values(matrix) {}
    static Start bias(const float* row) {
        Start s(row);
        s.perColumn = true;
        return s;
    }
};

/// C = start + A B in fp32, summed in `order`; scalar definition: numerics::reduce over DotTerms.
void gemmF32(GemmShape shape, const float* a, const float* b, Start start, float* c, SumOrder order);

/// C = start + A B as the tensor core of `spec` computes it; scalar definition: numerics::tcDotSplit.
/// Operands hold values of spec.operand (tf32: any float, the low 13 bits are dropped as by the hardware).
/// `splits` > 1: contiguous chunks of k, partial results added in fp32. f16 output: start values must be f16
/// values. Precondition: spec.exists().
void gemmTensorCore(GemmShape shape, const float* a, const float* b, Start start, float* c,
                    const numerics::TcSpec& spec, std::size_t splits = 1);

/// C = A B in integers, modulo 2^32 (two's complement), hence independent of any order.
void gemmInt8(GemmShape shape, const std::int8_t* a, const std::int8_t* b, std::int32_t* c);

enum class AccFormat : std::uint8_t { bf16, f16 };

/// C with an accumulator of the given format: acc = start; acc = round(fma(a_k, b_k, acc)) over increasing k,
/// where the fma is fp32's and `round` goes to the nearest even value of the format (beyond its range:
/// infinite). Scalar definition: roundedDot below.
void gemmRoundedAccumulator(GemmShape shape, const float* a, const float* b, Start start, float* c,
                            AccFormat format);

/// The same on exact integer products, before any scaling: the "wrong accumulator" of an int8 product.
void gemmInt8RoundedAccumulator(GemmShape shape, const std::int8_t* a, const std::int8_t* b, float* c,
                                AccFormat format);

float roundedDot(const float* a, std::size_t strideA, const float* b, std::size_t strideB, std::size_t k,
                 float start, AccFormat format);

} // namespace divdet::host
