#include "host/elementwise.h"

#include "host/simd.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/elementwise.cpp"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

#include "host/parallel.h"
#include "host/simd-inl.h"
#include "numerics/fast_maths.h"
#include "numerics/maths.h"
#include "numerics/philox.h"

HWY_BEFORE_NAMESPACE();
namespace divdet::host::elementwise {
namespace HWY_NAMESPACE {
using namespace divdet::host::HWY_NAMESPACE;

// The loops below call the scalar definitions; compiled per instruction set and flattened, their std::fma
// becomes one instruction instead of a library call.
#define DIVDET_FLAT __attribute__((flatten))

DIVDET_FLAT void applyBlock(Elementwise f, const float* in, float* out, std::size_t n) {
    switch (f) {
    case Elementwise::gelu:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::geluFloat(in[i]);
        return;
    case Elementwise::geluTanh:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::geluTanhFloat(in[i]);
        return;
    case Elementwise::silu:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::siluFloat(in[i]);
        return;
    case Elementwise::relu:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::reluFloat(in[i]);
        return;
    case Elementwise::exp:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::expFloat(in[i]);
        return;
    case Elementwise::tanh:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::tanhFloat(in[i]);
        return;
    case Elementwise::erf:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::erfFloat(in[i]);
        return;
    case Elementwise::log:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::logFloat(in[i]);
        return;
    case Elementwise::rsqrt:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::rsqrtFloat(in[i]);
        return;
    case Elementwise::fastExp:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::fastExp(in[i]);
        return;
    case Elementwise::fastTanh:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::fastTanh(in[i]);
        return;
    case Elementwise::fastRsqrt:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::fastRsqrt(in[i]);
        return;
    case Elementwise::fastGelu:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::fastGelu(in[i]);
        return;
    case Elementwise::fastGeluTanh:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::fastGeluTanh(in[i]);
        return;
    case Elementwise::fastSilu:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::fastSilu(in[i]);
        return;
    }
}

template <numerics::Tf32Rounding kMode>
HWY_INLINE void roundTf32(const float* in, float* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = numerics::roundToTf32(in[i], kMode);
}

HWY_INLINE void roundF16(const float* in, float* out, std::size_t n) {
    std::size_t i = 0;
    for (; i + kLaneCount <= n; i += kLaneCount) {
        const Floats x = hn::LoadU(kF, in + i);
        const Floats r = hn::IfThenElse(
            hn::IsNaN(x), hn::Or(hn::And(x, hn::Set(kF, -0.0f)), hn::BitCast(kF, hn::Set(kI, 0x7FC00000))),
            roundedToF16(x));
        hn::StoreU(r, kF, out + i);
    }
    for (; i < n; ++i) out[i] = numerics::roundToF16(in[i]);
}

DIVDET_FLAT void roundBlock(RoundFormat format, const float* in, float* out, std::size_t n) {
    switch (format) {
    case RoundFormat::tf32NearestEven:
        return roundTf32<numerics::Tf32Rounding::nearestEven>(in, out, n);
    case RoundFormat::tf32NearestAway:
        return roundTf32<numerics::Tf32Rounding::nearestAway>(in, out, n);
    case RoundFormat::tf32TowardZero:
        return roundTf32<numerics::Tf32Rounding::towardZero>(in, out, n);
    case RoundFormat::bf16:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::roundToBf16(in[i]);
        return;
    case RoundFormat::f16:
        return roundF16(in, out, n);
    case RoundFormat::f8e4m3:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::roundToF8e4m3(in[i]);
        return;
    case RoundFormat::f8e5m2:
        for (std::size_t i = 0; i < n; ++i) out[i] = numerics::roundToF8e5m2(in[i]);
        return;
    }
}

DIVDET_FLAT void normalBlock(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, float* out,
                             std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = numerics::normalAt(seed, stream, first + i);
}

DIVDET_FLAT void uniformBlock(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, float* out,
                              std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = numerics::uniformAt(seed, stream, first + i);
}

} // namespace HWY_NAMESPACE
} // namespace divdet::host::elementwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace divdet::host {
namespace elementwise {
HWY_EXPORT(applyBlock);
HWY_EXPORT(roundBlock);
HWY_EXPORT(normalBlock);
HWY_EXPORT(uniformBlock);
static auto chosenApply() {
    return HWY_DYNAMIC_DISPATCH(applyBlock);
}
static auto chosenRound() {
    return HWY_DYNAMIC_DISPATCH(roundBlock);
}
static auto chosenNormal() {
    return HWY_DYNAMIC_DISPATCH(normalBlock);
}
static auto chosenUniform() {
    return HWY_DYNAMIC_DISPATCH(uniformBlock);
}

/// f(first, count) for consecutive pieces of n elements.
template <class F>
static void forBlocks(std::size_t n, const F& f) {
    constexpr std::size_t kBlock = 4096;
    forEachTask((n + kBlock - 1) / kBlock, [&](std::size_t i) {
        const std::size_t first = i * kBlock;
        f(first, n - first < kBlock ? n - first : kBlock);
    });
}

} // namespace elementwise

void apply(Elementwise f, const float* in, float* out, std::size_t n) {
    elementwise::forBlocks(
        n, [&](std::size_t i, std::size_t count) { elementwise::chosenApply()(f, in + i, out + i, count); });
}

void roundTo(RoundFormat format, const float* in, float* out, std::size_t n) {
    elementwise::forBlocks(n, [&](std::size_t i, std::size_t count) {
        elementwise::chosenRound()(format, in + i, out + i, count);
    });
}

void add(const float* a, const float* b, float* out, std::size_t n) {
    elementwise::forBlocks(n, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) out[i] = a[i] + b[i];
    });
}

void addBias(const float* x, const float* bias, float* out, std::size_t rows, std::size_t width) {
    forEachTask(rows, [&](std::size_t row) {
        for (std::size_t j = 0; j < width; ++j) out[row * width + j] = x[row * width + j] + bias[j];
    });
}

void mul(const float* a, const float* b, float* out, std::size_t n) {
    elementwise::forBlocks(n, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) out[i] = a[i] * b[i];
    });
}

void mulGain(const float* x, const float* gain, float* out, std::size_t rows, std::size_t width) {
    forEachTask(rows, [&](std::size_t row) {
        for (std::size_t j = 0; j < width; ++j) out[row * width + j] = x[row * width + j] * gain[j];
    });
}

void scale(const float* x, float factor, float* out, std::size_t n) {
    elementwise::forBlocks(n, [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) out[i] = x[i] * factor;
    });
}

void fillNormal(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, float* out, std::size_t n) {
    elementwise::forBlocks(n, [&](std::size_t i, std::size_t count) {
        elementwise::chosenNormal()(seed, stream, first + i, out + i, count);
    });
}

void fillUniform(std::uint64_t seed, std::uint32_t stream, std::uint64_t first, float* out, std::size_t n) {
    elementwise::forBlocks(n, [&](std::size_t i, std::size_t count) {
        elementwise::chosenUniform()(seed, stream, first + i, out + i, count);
    });
}

} // namespace divdet::host
#endif
