#pragma once
#include <span>

#include "base/progress.h"
#include "base/result.h"
#include "host/elementwise.h"
#include "lower/lowered.h"
#include "numerics/tensor_core_spec.h"
#include "tensor/tensor.h"

/// The ops of the twin, one function per kind. Inputs have been checked by the caller: shapes that the op
/// accepts, contiguous, native-endian. Each returns its result in op.slots.storage.
namespace divdet::host::twin {

struct Call {
    const lower::LoweredOp& op;
    std::span<const Tensor> inputs;
    numerics::Arch arch;
    const Progress& progress;
};

Result<Tensor> product(const Call& call);
Result<Tensor> rmsNormRows(const Call& call);
Result<Tensor> reduceRows(const Call& call);
Result<Tensor> addElements(const Call& call);
Result<Tensor> geluElements(const Call& call);

/// The gelu of an op's formula and maths.
Elementwise geluFor(const lower::Slots& slots);

/// unsupported, naming the slot value that this twin has no arithmetic for.
Error unsupportedSlot(const lower::LoweredOp& op);
Error cancelledError();
Error at(Error error, const std::string& path); ///< the error, told of this op

} // namespace divdet::host::twin
