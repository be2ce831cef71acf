#pragma once
#include "judge/local/allowed.h"

namespace divdet::local {

// Ops that add along rows,: bounds that hold for every order of the sum. Inputs have
// been checked by the op's shape function.
Result<Allowed> rmsNormBound(const lower::LoweredOp& op, std::span<const Tensor> inputs);
Result<Allowed> layerNormBound(const lower::LoweredOp& op, std::span<const Tensor> inputs);
Result<Allowed> softmaxBound(const lower::LoweredOp& op, std::span<const Tensor> inputs);

/// In the declared order, or every order where that is not known.
Result<Allowed> reduceSumBound(const lower::LoweredOp& op, std::span<const Tensor> inputs, Order order,
                               const Progress& progress);
Result<Allowed> scatterAddBound(const lower::LoweredOp& op, std::span<const Tensor> inputs, Order order);

} // namespace divdet::local
