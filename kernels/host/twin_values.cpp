#include "host/twin_values.h"

#include "host/elementwise.h"
#include "numerics/flush.h"
#include "numerics/rounding.h"
#include "tensor/convert.h"

namespace divdet::host::twin {

Floats::Floats(const Tensor& t)
    : m_size(static_cast<std::size_t>(t.elements())) {
    if (t.dtype() == DType::f32) {
        m_inPlace = t.as<float>().data();
        return;
    }
    m_owned.resize(m_size);
    if (t.dtype() == DType::bf16) {
        const auto codes = t.as<std::uint16_t>();
        for (std::size_t i = 0; i < m_size; ++i) m_owned[i] = numerics::bf16ToFloat(codes[i]);
        return;
    }
    if (t.dtype() == DType::f16) {
        const auto codes = t.as<std::uint16_t>();
        for (std::size_t i = 0; i < m_size; ++i) m_owned[i] = numerics::f16ToFloat(codes[i]);
        return;
    }
    std::vector<double> wide(m_size);
    loadAsDouble(t.view(), 0, wide);
    for (std::size_t i = 0; i < m_size; ++i) m_owned[i] = static_cast<float>(wide[i]);
}

Result<Tensor> stored(TensorBuilder&& results, DType storage) {
    Tensor f32 = std::move(results).finish();
    if (storage == DType::f32) return f32;
    return converted(f32, storage);
}

Result<Tensor> flushedSubnormals(const Tensor& t) {
    const bool f32 = t.dtype() == DType::f32;
    if (!f32 && t.dtype() != DType::bf16) return t;
    TensorBuilder out(t.dtype(), t.shape());
    const auto n = static_cast<std::size_t>(t.elements());
    if (f32) {
        const auto from = t.as<float>();
        const auto to = out.as<float>();
        for (std::size_t i = 0; i < n; ++i) to[i] = numerics::flushed(from[i]);
    } else {
        const auto from = t.as<std::uint16_t>();
        const auto to = out.as<std::uint16_t>();
        for (std::size_t i = 0; i < n; ++i) to[i] = numerics::flushedBf16(from[i]);
    }
    return std::move(out).finish();
}

void roundToStorage(float* values, std::size_t n, DType storage) {
    if (storage == DType::bf16) roundTo(RoundFormat::bf16, values, values, n);
    if (storage == DType::f16) roundTo(RoundFormat::f16, values, values, n);
}

float roundToAccumulator(float x, lower::Accumulator format) {
    switch (format) {
    case lower::Accumulator::native:
    case lower::Accumulator::instructionFp16: // not an accumulator of single additions
        return x;
    case lower::Accumulator::bf16:
        return numerics::roundToBf16(x);
    case lower::Accumulator::fp16:
        return numerics::roundToF16(x);
    }
    return x;
}

numerics::SumOrder sumOrder(const lower::Slots& slots, numerics::Order published) {
    switch (slots.order) {
    case lower::SumOrder::published:
        return {published, 1};
    case lower::SumOrder::pairwise:
        return {numerics::Order::pairwise, 1};
    case lower::SumOrder::strided:
        return {numerics::Order::strided, 1};
    case lower::SumOrder::splitK:
    case lower::SumOrder::atomics: // the same chunks
        return {numerics::Order::splitK, static_cast<std::size_t>(slots.splits)};
    }
    return {published, 1};
}

} // namespace divdet::host::twin
