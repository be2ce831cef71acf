#pragma once
#include <vector>

#include "cuda/module/attributes.h"
#include "cuda/module/queue.h"
#include "cuda/module/slots.h"
#include "numerics/tensor_core_spec.h"

namespace divdet::cuda {

class LibraryGemm;

/// A value on the device, in the dtype it is kept in.
struct DeviceValue {
    divdet_tensor_type type{};
    Buffer bytes;
};

std::size_t elementCount(const divdet_tensor_type& type);
std::size_t byteCount(const divdet_tensor_type& type); ///< throws DIVDET_UNSUPPORTED for an unknown dtype

/// An input widened to fp32; fp32 itself in place.
class InputFloats {
public:
    InputFloats(const Queue& queue, const DeviceValue& value);
    const float* get() const { return m_inPlace; }
    std::size_t size() const { return m_size; }

private:
    Floats m_owned;
    const float* m_inPlace;
    std::size_t m_size;
};

/// One op with what it runs on.
struct OpCall {
    const Queue& queue;
    numerics::Arch arch;
    const LibraryGemm* library; ///< null: own kernels
    std::string kind;
    const Attributes& attributes;
    Slots slots;
    std::vector<const DeviceValue*> inputs;
    divdet_tensor_type output;
    std::uint64_t runNumber;

    const DeviceValue& input(std::size_t i) const; ///< throws DIVDET_INVALID when there is none
    std::size_t outputs() const { return elementCount(output); }
};

/// The op's result in fp32, one function per family. Throw Failure.
Floats product(const OpCall& call); ///< matmul, conv2d, and the steps fused behind them
Floats rowsOf(const OpCall& call);  ///< rmsnorm, layernorm, softmax, reduce_sum
Floats pointwise(const OpCall& call);
Floats dataOf(const OpCall& call); ///< moves, embedding, quantize, dequantize, scatter_add

/// A step behind a product, or an op of one's own: x becomes f(x) in place. `prefix` of its attributes.
void applyPointwise(const OpCall& call, const std::string& kind, const std::string& prefix,
                    const InputFloats* operand, float* x, std::size_t n);

/// Runs the op and keeps its result in the output's dtype, rounded once.
DeviceValue runOp(const OpCall& call);

/// What runOp's result would be worth; throws Failure where it cannot run.
divdet_promise promiseOf(const OpCall& call);

} // namespace divdet::cuda
