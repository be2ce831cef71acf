#pragma once
#include <cstddef>
#include <cstdint>

#include "numerics/reduction.h"

/// Operations on the rows or columns of a row-major matrix of rows x width, rows in parallel; each row has
/// the bits of the scalar definition.
namespace divdet::host {

using numerics::SumOrder;

/// The order in which norms add their squares unless a pass says otherwise.
inline constexpr SumOrder kNormOrder{numerics::Order::strided, 1};

/// out[row] = sum of the row (numerics::reduce over SumTerms).
void sumRows(const float* x, std::size_t rows, std::size_t width, SumOrder order, float* out);

/// numerics::rmsNormRow for every row: y = (x rsqrt(sum x^2 / width + eps)) gain. `out` may be `x`;
/// `fast`: with fastRsqrt.
void rmsNorm(const float* x, const float* gain, float eps, std::size_t rows, std::size_t width,
             SumOrder order, float* out, bool fast = false);

/// numerics::layerNormRow for every row; `bias` may be null, `out` may be `x`; `fast`: with fastRsqrt.
void layerNorm(const float* x, const float* gain, const float* bias, float eps, std::size_t rows,
               std::size_t width, SumOrder order, float* out, bool fast = false);

/// The same by numerics::layerNormOnePassRow.
void layerNormOnePass(const float* x, const float* gain, const float* bias, float eps, std::size_t rows,
                      std::size_t width, SumOrder order, float* out, bool fast = false);

/// numerics::softmaxRow for every row; `out` may be `x`; `fast`: with fastExp.
void softmax(const float* x, std::size_t rows, std::size_t width, SumOrder order, float* out,
             bool fast = false);

/// Rows of `queries` x `keys` matrices: element (i, j) is -inf where j > i + offset. `out` may be `x`.
void causalMask(const float* x, std::int64_t offset, std::size_t rows, std::size_t queries, std::size_t keys,
                float* out);

/// out[r] = sum of source rows targets lists for r: row r's are rows[first[r]] .. rows[first[r + 1]), added
/// in `order` (numerics::reduce over GatheredTerms). `first` has targets + 1 entries.
void scatterRows(const float* source, const std::uint32_t* rows, const std::size_t* first,
                 std::size_t targets, std::size_t width, SumOrder order, float* out);

/// The same with each target's terms added in an order of arrival drawn from `seed`
/// (numerics::addedAsTheyArrive).
void scatterRowsAsTheyArrive(const float* source, const std::uint32_t* rows, const std::size_t* first,
                             std::size_t targets, std::size_t width, std::uint64_t seed, float* out);

/// Symmetric int8 (numerics/quantize.h) with one scale per row (activations, per token) ...
void quantizeRows(const float* x, std::size_t rows, std::size_t width, std::int8_t* q, float* scales);
/// ... per column (weights k x n, per output channel) ...
void quantizeColumns(const float* x, std::size_t rows, std::size_t width, std::int8_t* q, float* scales);
/// ... or one for all; returned.
float quantizeTensor(const float* x, std::size_t count, std::int8_t* q);
/// Quantises with given scales, `scaleStep` 0 (one for all), else one per column: for calibrated scales.
void quantizeWith(const float* x, std::size_t rows, std::size_t width, const float* scales,
                  std::size_t scaleStep, std::int8_t* q);

/// out = float(acc) (rowScale columnScale); rowStep or columnStep 0 means the first scale serves all.
void dequantize(const std::int32_t* acc, std::size_t rows, std::size_t width, const float* rowScales,
                std::size_t rowStep, const float* columnScales, std::size_t columnStep, float* out);

} // namespace divdet::host
