#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "lower/lowered.h"
#include "tensor/tensor.h"

namespace divdet::cuda {

/// An op as the module takes it: its attributes and slots as text (backend_abi.h lists them), and the shape
/// of its result.
struct OpText {
    std::vector<std::pair<std::string, std::string>> attributes;
    Shape shape;
};

/// Errors: what core says of the shapes; mismatch for a row number outside its table; unsupported for slots
/// that have no text.
Result<OpText> describe(const lower::LoweredOp& op, std::span<const Tensor> inputs);

} // namespace divdet::cuda
