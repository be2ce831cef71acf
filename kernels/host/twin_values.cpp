#include "host/twin_values.h"

#include "host/elementwise.h"
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
    std::vector<double> wide(m_size);
    loadAsDouble(t.view(), 0, wide);
    for (std::size_t i = 0; i < m_size; ++i) m_owned[i] = static_cast<float>(wide[i]);
}

Result<Tensor> stored(TensorBuilder&& results, DType storage) {
    Tensor f32 = std::move(results).finish();
    if (storage == DType::f32) return f32;
    return converted(f32, storage);
}

void roundToStorage(float* values, std::size_t n, DType storage) {
    if (storage == DType::bf16) roundTo(RoundFormat::bf16, values, values, n);
    if (storage == DType::f16) roundTo(RoundFormat::f16, values, values, n);
}

float roundToAccumulator(float x, lower::Accumulator format) {
    switch (format) {
    case lower::Accumulator::native:
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
        return {numerics::Order::splitK, static_cast<std::size_t>(slots.splits)};
    }
    return {published, 1};
}

} // namespace divdet::host::twin
