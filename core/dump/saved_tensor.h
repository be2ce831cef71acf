#pragma once
#include <filesystem>

#include "dump/torch_object.h"

namespace divdet {

/// A file `tensors/NAME` of torch's content store: (type, hash of the storage, offset, shape, strides,
/// flags).
struct SavedTensor {
    std::string hash; ///< checked: isStorageHash
    TorchWindow window;
};
Result<SavedTensor> readSavedTensor(const std::filesystem::path& path);

} // namespace divdet
