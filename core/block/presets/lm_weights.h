#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tensor/tensor.h"

namespace divdet::block::presets {

struct TrainedTensor {
    std::string name;
    Tensor tensor; ///< fp32, contiguous
};

/// resources/lm/lm.safetensors, which is part of the program: weights by the names of the graph's, and
/// `ids` and `targets`, [2048] token numbers. Read once.
const std::vector<TrainedTensor>& trainedTensors();

/// nullptr when there is none of this name.
const Tensor* trainedTensor(std::string_view name);

} // namespace divdet::block::presets
