#include "host/rows.h"

#include "host/parallel.h"
#include "host/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/rows.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "numerics/norm.h"
#include "numerics/quantize.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::host::rows {
namespace HWY_NAMESPACE {

// Flattened for the same reason as in elementwise.cpp: fma must be an instruction.
__attribute__((flatten)) float sumRow(const float* x, std::size_t width, SumOrder order) {
    return numerics::reduce(numerics::SumTerms{x}, width, order);
}

__attribute__((flatten)) void rmsRow(const float* x, const float* gain, float eps, std::size_t width,
                                     SumOrder order, float* out, bool fast) {
    numerics::rmsNormRow(x, gain, eps, width, order, out, fast);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::host::rows
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::host {
namespace rows {
HWY_EXPORT(sumRow);
HWY_EXPORT(rmsRow);
static auto chosenSum() {
    return HWY_DYNAMIC_DISPATCH(sumRow);
}
static auto chosenRms() {
    return HWY_DYNAMIC_DISPATCH(rmsRow);
}
} // namespace rows

void sumRows(const float* x, std::size_t count, std::size_t width, SumOrder order, float* out) {
    forEachTask(count, [&](std::size_t r) { out[r] = rows::chosenSum()(x + r * width, width, order); });
}

void rmsNorm(const float* x, const float* gain, float eps, std::size_t count, std::size_t width,
             SumOrder order, float* out, bool fast) {
    forEachTask(count, [&](std::size_t r) {
        rows::chosenRms()(x + r * width, gain, eps, width, order, out + r * width, fast);
    });
}

void quantizeRows(const float* x, std::size_t count, std::size_t width, std::int8_t* q, float* scales) {
    forEachTask(count, [&](std::size_t r) {
        scales[r] = numerics::int8Scale(numerics::maxAbs(x + r * width, width, 1));
        for (std::size_t i = r * width; i < (r + 1) * width; ++i)
            q[i] = numerics::quantizeInt8(x[i], scales[r]);
    });
}

void quantizeColumns(const float* x, std::size_t count, std::size_t width, std::int8_t* q, float* scales) {
    constexpr std::size_t kBlock = 64; // columns per task: whole cache lines of every row
    forEachTask((width + kBlock - 1) / kBlock, [&](std::size_t block) {
        const std::size_t first = block * kBlock;
        const std::size_t last = first + kBlock < width ? first + kBlock : width;
        for (std::size_t j = first; j < last; ++j) scales[j] = 0.0f;
        for (std::size_t r = 0; r < count; ++r) {
            for (std::size_t j = first; j < last; ++j) {
                const float a = numerics::maxAbs(x + r * width + j, 1, 1);
                scales[j] = a > scales[j] ? a : scales[j];
            }
        }
        for (std::size_t j = first; j < last; ++j) scales[j] = numerics::int8Scale(scales[j]);
        for (std::size_t r = 0; r < count; ++r) {
            for (std::size_t j = first; j < last; ++j) {
                q[r * width + j] = numerics::quantizeInt8(x[r * width + j], scales[j]);
            }
        }
    });
}

float quantizeTensor(const float* x, std::size_t count, std::int8_t* q) {
    const float scale = numerics::int8Scale(numerics::maxAbs(x, count, 1));
    quantizeWith(x, 1, count, &scale, 0, q);
    return scale;
}

void quantizeWith(const float* x, std::size_t count, std::size_t width, const float* scales,
                  std::size_t scaleStep, std::int8_t* q) {
    forEachTask(count, [&](std::size_t r) {
        for (std::size_t j = 0; j < width; ++j) {
            q[r * width + j] = numerics::quantizeInt8(x[r * width + j], scales[j * scaleStep]);
        }
    });
}

void dequantize(const std::int32_t* acc, std::size_t count, std::size_t width, const float* rowScales,
                std::size_t rowStep, const float* columnScales, std::size_t columnStep, float* out) {
    forEachTask(count, [&](std::size_t r) {
        for (std::size_t j = 0; j < width; ++j) {
            out[r * width + j] = numerics::dequantizeInt8(acc[r * width + j], rowScales[r * rowStep],
                                                          columnScales[j * columnStep]);
        }
    });
}

} // namespace divdet::host
#endif
