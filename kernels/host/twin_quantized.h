#pragma once
#include <cstdint>
#include <vector>

#include "host/gemm.h"
#include "lower/slots.h"

namespace divdet::host::twin {

/// W8A8 product, C[m,n] = dequantised(A8 B8): symmetric scales, one per output column for B, one per row or
/// one for all of A. acc·(sA·sB) with two roundings; with `start` the last product and the addition are one
/// fma. An accumulator other than native rounds the running integer sum at every addition.
void quantizedProduct(GemmShape shape, const float* a, const float* b, Start start, float* c,
                      lower::Granularity granularity, lower::Accumulator accumulator);

} // namespace divdet::host::twin
