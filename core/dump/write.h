#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "tensor/tensor.h"

namespace divdet {

struct NamedTensor {
    std::string name;
    Tensor tensor;
};

/// All writers are atomic (atomic_file.h) and write row-major little-endian data; the same input gives the
/// same bytes. Void tensors are an error (unsupported).

/// npy 1.0. bf16 and fp8 become void (`|V2`, `|V1`), as numpy saves ml_dtypes: readers have to name the type.
Status writeNpy(const std::filesystem::path& path, const Tensor& tensor);

/// Members stored plainly, so that readers can map them; zip64 where needed. Names must be distinct.
Status writeNpz(const std::filesystem::path& path, std::span<const NamedTensor> tensors);

/// `metadata` plus `tap_order`, the names as given. Names must be distinct UTF-8; c128 does not exist in the
/// format (unsupported).
Status writeSafetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                        std::span<const std::pair<std::string, std::string>> metadata = {});

} // namespace divdet
