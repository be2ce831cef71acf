#pragma once
#include <span>

#include "base/progress.h"
#include "base/result.h"
#include "host/racing.h"
#include "lower/lowered.h"
#include "numerics/tensor_core_spec.h"
#include "run/racing_backend.h"
#include "tensor/tensor.h"

/// The ops of the twin, one function per kind. Inputs have been checked by the caller: shapes that the op
/// accepts, contiguous, native-endian. Each returns its result in op.slots.storage.
namespace divdet::host::twin {

/// How an op with the order `atomics` is computed where its order is left to chance.
struct Race {
    RacingThreads threads;
    run::RaceSeen& seen;
};

struct Call {
    const lower::LoweredOp& op;
    std::span<const Tensor> inputs;
    numerics::Arch arch;
    const Progress& progress;
    const Race* race = nullptr; ///< null: in the order that the seed draws
};

Result<Tensor> product(const Call& call);  ///< matmul, conv2d
Result<Tensor> normRows(const Call& call); ///< rmsnorm, layernorm
Result<Tensor> softmaxRows(const Call& call);
Result<Tensor> reduceRows(const Call& call);
Result<Tensor> scatterAddRows(const Call& call);
Result<Tensor> pointwiseElements(const Call& call); ///< every op with traits.pointwise
Result<Tensor> movedElements(const Call& call);     ///< transpose, split_heads, merge_heads
Result<Tensor> embeddingRows(const Call& call);
Result<Tensor> recodedElements(const Call& call); ///< quantize, dequantize

/// unsupported, naming the slot value that this twin has no arithmetic for.
Error unsupportedSlot(const lower::LoweredOp& op);
Error cancelledError();
Error at(Error error, const std::string& path); ///< the error, told of this op

} // namespace divdet::host::twin
