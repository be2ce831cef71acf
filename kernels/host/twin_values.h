#pragma once
#include <cstddef>
#include <vector>

#include "base/result.h"
#include "lower/slots.h"
#include "numerics/reduction.h"
#include "tensor/tensor.h"

namespace divdet::host::twin {

/// A tensor's elements as floats: fp32 in place, narrower types widened exactly.
class Floats {
public:
    explicit Floats(const Tensor& t);

    const float* data() const { return m_owned.empty() ? m_inPlace : m_owned.data(); }
    std::size_t size() const { return m_size; }

private:
    std::vector<float> m_owned;
    const float* m_inPlace = nullptr;
    std::size_t m_size = 0;
};

/// Freezes fp32 results in the dtype they are kept in, rounded to nearest even.
Result<Tensor> stored(TensorBuilder&& results, DType storage);

/// A tensor whose subnormal elements are zeros of their sign (numerics/flush.h). f32 and bf16; fp16's own
/// subnormals are normal numbers of fp32, in which results are computed, and stay.
Result<Tensor> flushedSubnormals(const Tensor& t);

/// Values rounded to `storage` in place: what another kernel would read back. f32 leaves them.
void roundToStorage(float* values, std::size_t n, DType storage);

/// x rounded to the accumulator's format; `native` leaves it.
float roundToAccumulator(float x, lower::Accumulator format);

/// The summation tree a slot asks for; `published` is what stands for SumOrder::published.
numerics::SumOrder sumOrder(const lower::Slots& slots, numerics::Order published);

} // namespace divdet::host::twin
