#pragma once
#include <cuda_runtime.h>

#include "cuda/kernel_types.h"
#include "numerics/half_written.h"
#include "numerics/tensor_core_spec.h"

/// One function per kernel: picks the grid and starts it on `stream`. Pointers are to device memory. None of
/// them waits; errors of a launch are asked for by the caller (failure.h, checkLaunch).
namespace divdet::cuda {

// products_simt.cu
/// `chunks` chains of `length` terms, chunk i's results at c + i m n; `rounding` f32: plain fma chains.
void gemmChains(cudaStream_t stream, GemmShape shape, Operands in, StartValues start,
                numerics::PartialFormat rounding, std::size_t length, std::size_t chunks, float* c);
void gemmPairwise(cudaStream_t stream, GemmShape shape, Operands in, StartValues start, float* c);
void gemmStrided(cudaStream_t stream, GemmShape shape, Operands in, StartValues start, float* c);
void combineInOrder(cudaStream_t stream, const float* partials, std::size_t count, std::size_t size,
                    numerics::PartialFormat format, float* c);
void drawArrivals(cudaStream_t stream, TileGrid tiles, std::uint64_t seed, std::size_t count,
                  std::uint32_t* order);
void combineAsTheyArrived(cudaStream_t stream, GemmShape shape, const float* partials, std::size_t count,
                          TileGrid tiles, const std::uint32_t* order, StartValues start,
                          numerics::PartialFormat format, float* c);
void takeTile(cudaStream_t stream, const float* wide, std::size_t stride, std::size_t rows,
              std::size_t columns, float* tile);
void putTile(cudaStream_t stream, const float* tile, std::size_t rows, std::size_t columns, float* wide,
             std::size_t stride);

// products_mma.cu
void gemmMma(cudaStream_t stream, MmaKind kind, std::size_t m, std::size_t n, Packed a, Packed b,
             std::size_t words, std::size_t length, std::size_t chunks, StartValues start, float* c);
unsigned elementsPerWord(MmaKind kind);

// operands.cu
/// `largest` starts as zeros.
void largestInRows(cudaStream_t stream, const float* x, std::size_t rows, std::size_t width,
                   std::uint32_t* largest);
void largestInColumns(cudaStream_t stream, const float* x, std::size_t rows, std::size_t width,
                      std::uint32_t* largest);
void largestOfAll(cudaStream_t stream, const float* x, std::size_t count, std::uint32_t* largest);
void int8Scales(cudaStream_t stream, const std::uint32_t* largest, std::size_t count, std::int64_t clipped,
                float clip, float* scales);
void f8Scale(cudaStream_t stream, const std::uint32_t* largest, numerics::OperandFormat format, float* scale);
void copyScale(cudaStream_t stream, float* scales, std::size_t from, std::size_t at);
void int8Codes(cudaStream_t stream, const float* x, std::size_t rows, std::size_t width, const float* scales,
               std::size_t rowStep, std::size_t columnStep, float* codes);
void f8Codes(cudaStream_t stream, const float* x, std::size_t count, const float* scale,
             numerics::OperandFormat format, float* codes);
void int4Weights(cudaStream_t stream, const float* w, std::size_t k, std::size_t n, std::size_t group,
                 float* out);
void roundOperand(cudaStream_t stream, const float* x, std::size_t count, OperandRounding how, float* out);
void readHalfWritten(cudaStream_t stream, const float* b, std::size_t ldb, std::size_t k, std::size_t columns,
                     numerics::HalfWritten what, float* out);
void packOperand(cudaStream_t stream, MmaKind kind, const float* x, std::size_t rows, std::size_t k,
                 std::size_t rowStep, std::size_t kStep, std::size_t perRow, std::uint32_t* out);
void scaleBack(cudaStream_t stream, GemmShape shape, const float* rowScales, std::size_t rowStep,
               const float* columnScales, std::size_t columnStep, StartValues start, float* c);

// rows.cu
void rmsNormRows(cudaStream_t stream, const float* x, const float* gain, float eps, std::size_t rows,
                 std::size_t width, SumOrder order, bool fast, float* out);
void layerNormRows(cudaStream_t stream, const float* x, const float* gain, const float* bias, float eps,
                   std::size_t rows, std::size_t width, SumOrder order, bool fast, bool onePass, float* out);
void softmaxRows(cudaStream_t stream, const float* x, std::size_t rows, std::size_t width, SumOrder order,
                 bool fast, float* out);
void spoilFirstRows(cudaStream_t stream, std::size_t n, std::size_t width, std::size_t perMatrix, float* y);
/// Blocks that sumRows uses, each of which needs a row of partials and arrivals.
unsigned sumRowBlocks(std::size_t rows);
void sumRows(cudaStream_t stream, const float* x, std::size_t rows, std::size_t width, std::size_t kept,
             SumRule rule, float* partials, std::uint32_t* arrivals, float* sums);

// pointwise.cu
void applyFunction(cudaStream_t stream, Function f, const float* x, std::size_t n, float* out);
void addElements(cudaStream_t stream, const float* x, const float* y, std::size_t n, std::size_t width,
                 float* out);
void mulElements(cudaStream_t stream, const float* x, const float* y, std::size_t n, std::size_t width,
                 float* out);
void multiplyAndAdd(cudaStream_t stream, const float* factors, std::size_t factorWidth, float constant,
                    const float* addend, std::size_t addendWidth, std::size_t n, float* c);
void scaleElements(cudaStream_t stream, const float* x, float factor, std::size_t n, float* out);
void addBiasTo(cudaStream_t stream, const float* bias, std::size_t biasStep, std::size_t size,
               std::size_t columns, std::size_t n, float* residual);
void maskCausally(cudaStream_t stream, const float* x, std::int64_t offset, std::size_t n,
                  std::size_t queries, std::size_t keys, float* out);

// stores.cu
void widen(cudaStream_t stream, Kept kept, const void* x, std::size_t n, float* out);
void narrow(cudaStream_t stream, Kept kept, const float* x, std::size_t n, void* out);
void roundInPlace(cudaStream_t stream, Kept kept, float* x, std::size_t n);
void flushFloats(cudaStream_t stream, float* x, std::size_t n);
void flushBf16(cudaStream_t stream, std::uint16_t* x, std::size_t n);
void fillNormal(cudaStream_t stream, std::uint64_t seed, std::uint32_t of, std::uint64_t first, std::size_t n,
                float* out);
void fillUniform(cudaStream_t stream, std::uint64_t seed, std::uint32_t of, std::uint64_t first,
                 std::size_t n, float* out);

// data.cu
void moveElements(cudaStream_t stream, const float* x, const StridedShape& shape, std::size_t n, float* out);
void gatherRows(cudaStream_t stream, const float* indices, const float* table, std::size_t rows,
                std::size_t width, std::size_t n, float* out);
void quantizeElements(cudaStream_t stream, const float* x, const float* scale, const float* zero, Channels by,
                      float low, float high, std::size_t n, float* out);
void dequantizeElements(cudaStream_t stream, const float* x, const float* scale, const float* zero,
                        Channels by, std::size_t n, float* out);
/// `counts` starts as zeros and has `targets` entries, `first` one more, `rows` one per source.
void listSources(cudaStream_t stream, const float* indices, std::size_t sources, std::size_t targets,
                 std::uint32_t* counts, std::uint32_t* first, std::uint32_t* rows);
void scatterOrdered(cudaStream_t stream, const float* source, const std::uint32_t* rows,
                    const std::uint32_t* first, std::size_t targets, std::size_t width, SumOrder order,
                    bool roundedSum, numerics::PartialFormat accumulator, float* out);
/// `order` has sources entries for each tile of kArrivalTile columns.
void scatterAsTheyArrived(cudaStream_t stream, const float* source, const std::uint32_t* rows,
                          const std::uint32_t* first, std::size_t sources, std::size_t targets,
                          std::size_t width, std::uint64_t seed, std::uint32_t* order, float* out);
void unfoldWindows(cudaStream_t stream, const float* x, const Convolution& g, std::size_t count,
                   float* windows);
void unfoldWeights(cudaStream_t stream, const float* w, const Convolution& g, std::size_t count,
                   float* columns);
void productsToOutput(cudaStream_t stream, const float* products, const Convolution& g, std::size_t n,
                      float* out);
void outputToProducts(cudaStream_t stream, const float* output, const Convolution& g, std::size_t n,
                      float* products);

// scatter_atomics.cu
/// `out` starts as zeros. Another result every time.
void scatterAtomically(cudaStream_t stream, const float* indices, const float* source, std::size_t targets,
                       std::size_t width, std::size_t n, float* out);

} // namespace divdet::cuda
