#include "host/rows.h"

#include <vector>

#include "host/parallel.h"
#include "host/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/rows.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "numerics/norm.h"
#include "numerics/quantize.h"
#include "numerics/scatter.h"
#include "numerics/softmax.h"

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

__attribute__((flatten)) void layerRow(const float* x, const float* gain, const float* bias, float eps,
                                       std::size_t width, SumOrder order, float* out, bool fast) {
    numerics::layerNormRow(x, gain, bias, eps, width, order, out, fast);
}

__attribute__((flatten)) void layerOnePassRow(const float* x, const float* gain, const float* bias, float eps,
                                              std::size_t width, SumOrder order, float* out, bool fast) {
    numerics::layerNormOnePassRow(x, gain, bias, eps, width, order, out, fast);
}

__attribute__((flatten)) void softmaxOne(const float* x, std::size_t width, SumOrder order, float* out,
                                         bool fast) {
    numerics::softmaxRow(x, width, order, out, fast);
}

/// One target row. The chain runs over whole source rows, so that columns are added side by side.
__attribute__((flatten)) void scatterRow(const float* source, const std::uint32_t* rows, std::size_t count,
                                         std::size_t width, SumOrder order, float* out) {
    if (order.order == numerics::Order::sequential) {
        for (std::size_t j = 0; j < width; ++j) out[j] = 0.0f;
        for (std::size_t k = 0; k < count; ++k) {
            const float* row = source + rows[k] * width;
            for (std::size_t j = 0; j < width; ++j) out[j] = numerics::addRn(out[j], row[j]);
        }
        return;
    }
    for (std::size_t j = 0; j < width; ++j)
        out[j] = numerics::reduce(numerics::GatheredTerms{source + j, rows, width}, count, order);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::host::rows
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::host {
namespace rows {
HWY_EXPORT(sumRow);
HWY_EXPORT(rmsRow);
HWY_EXPORT(layerRow);
HWY_EXPORT(layerOnePassRow);
HWY_EXPORT(softmaxOne);
HWY_EXPORT(scatterRow);
static auto chosenSum() {
    return HWY_DYNAMIC_DISPATCH(sumRow);
}
static auto chosenRms() {
    return HWY_DYNAMIC_DISPATCH(rmsRow);
}
static auto chosenLayer() {
    return HWY_DYNAMIC_DISPATCH(layerRow);
}
static auto chosenLayerOnePass() {
    return HWY_DYNAMIC_DISPATCH(layerOnePassRow);
}
static auto chosenSoftmax() {
    return HWY_DYNAMIC_DISPATCH(softmaxOne);
}
static auto chosenScatter() {
    return HWY_DYNAMIC_DISPATCH(scatterRow);
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

void layerNorm(const float* x, const float* gain, const float* bias, float eps, std::size_t count,
               std::size_t width, SumOrder order, float* out, bool fast) {
    forEachTask(count, [&](std::size_t r) {
        rows::chosenLayer()(x + r * width, gain, bias, eps, width, order, out + r * width, fast);
    });
}

void layerNormOnePass(const float* x, const float* gain, const float* bias, float eps, std::size_t count,
                      std::size_t width, SumOrder order, float* out, bool fast) {
    forEachTask(count, [&](std::size_t r) {
        rows::chosenLayerOnePass()(x + r * width, gain, bias, eps, width, order, out + r * width, fast);
    });
}

void softmax(const float* x, std::size_t count, std::size_t width, SumOrder order, float* out, bool fast) {
    forEachTask(count, [&](std::size_t r) {
        rows::chosenSoftmax()(x + r * width, width, order, out + r * width, fast);
    });
}

void causalMask(const float* x, std::int64_t offset, std::size_t count, std::size_t queries, std::size_t keys,
                float* out) {
    forEachTask(count, [&](std::size_t r) {
        const std::int64_t last = static_cast<std::int64_t>(r % queries) + offset;
        for (std::size_t j = 0; j < keys; ++j) {
            const std::size_t at = r * keys + j;
            out[at] = static_cast<std::int64_t>(j) > last ? numerics::floatFromBits(0xFF800000u) : x[at];
        }
    });
}

void scatterRows(const float* source, const std::uint32_t* sourceRows, const std::size_t* first,
                 std::size_t targets, std::size_t width, SumOrder order, float* out) {
    forEachTask(targets, [&](std::size_t r) {
        rows::chosenScatter()(source, sourceRows + first[r], first[r + 1] - first[r], width, order,
                              out + r * width);
    });
}

void scatterRowsAsTheyArrive(const float* source, const std::uint32_t* sourceRows, const std::size_t* first,
                             std::size_t targets, std::size_t width, std::uint64_t seed, float* out) {
    forEachTask(targets, [&](std::size_t r) {
        const std::size_t count = first[r + 1] - first[r];
        std::vector<std::uint32_t> arrival(count);
        for (std::size_t j = 0; j < width; ++j) {
            if (j % numerics::kArrivalTile == 0)
                numerics::arrivalOrder(seed, static_cast<std::uint32_t>(r),
                                       static_cast<std::uint32_t>(j / numerics::kArrivalTile), arrival.data(),
                                       count);
            const numerics::GatheredTerms terms{source + j, sourceRows + first[r], width};
            out[r * width + j] = numerics::addedAsTheyArrive(terms, arrival.data(), count);
        }
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
