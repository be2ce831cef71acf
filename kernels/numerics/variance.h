#pragma once
#include "numerics/reduction.h"

namespace divdet::numerics {

/// Mean and variance of a row, in fp32, from the two sums of one pass:
///   mean = (sum x) / n, variance = (sum x^2) / n - mean^2 by one fma.
/// The subtraction cancels where the mean is large beside the spread, and may even come out negative; nothing
/// guards against that here, because nothing does in the kernels that this stands for.
struct Moments {
    float mean, variance;
};

DIVDET_HD Moments onePassMoments(const float* x, std::size_t width, SumOrder order) {
    const float n = static_cast<float>(width);
    const float mean = divRn(reduce(SumTerms{x}, width, order), n);
    const float meanSquare = divRn(reduce(SquareTerms{x}, width, order), n);
    return {mean, fmaRn(-mean, mean, meanSquare)};
}

} // namespace divdet::numerics
