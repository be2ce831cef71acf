#pragma once
#include <optional>
#include <string_view>

#include "dump/small_float.h"
#include "tensor/dtype.h"

namespace divdet {

/// An element type of PyTorch. Without `dtype` it is one this version cannot compare, such as
/// float4_e2m1fn_x2.
struct TorchType {
    std::string_view name; ///< torch's own, without `torch.`
    std::optional<DType>
        dtype;            ///< quantised types: that of the stored integers; small floats: u8, their codes
    std::size_t item = 1; ///< bytes of an element
    bool quantised = false;
    std::optional<SmallFloat> small; ///< widened to f32
};

/// `torch.FloatStorage`, `torch.storage.UntypedStorage` (bytes), …; nullopt: no such class.
std::optional<TorchType> torchStorageType(std::string_view dotted);

/// `torch.float32`, `torch.float8_e5m2`, …; nullopt: no such type.
std::optional<TorchType> torchScalarType(std::string_view dotted);

} // namespace divdet
