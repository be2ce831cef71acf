#include "dump/torch_globals.h"

#include <algorithm>

#include <fmt/format.h>

#include "dump/text_encoding.h"
#include "dump/torch_type.h"

namespace divdet {
namespace {

constexpr std::string_view kDicts[] = {"collections.OrderedDict", "collections.Counter"};
constexpr std::string_view kSets[] = {"__builtin__.set", "builtins.set"};

/// Each is only ever a name with arguments here; what the names mean is said in torch_object.cpp.
constexpr std::string_view kInert[] = {
    "torch._utils._rebuild_tensor",
    "torch._utils._rebuild_tensor_v2",
    "torch._utils._rebuild_tensor_v3",
    "torch._utils._rebuild_parameter",
    "torch._utils._rebuild_parameter_with_state",
    "torch._utils._rebuild_qtensor",
    "torch._utils._rebuild_sparse_tensor",
    "torch._utils._rebuild_sparse_csr_tensor",
    "torch._utils._rebuild_nested_tensor",
    "torch._utils._rebuild_meta_tensor_no_storage",
    "torch._tensor._rebuild_from_type_v2",
    "torch.Tensor",
    "torch.nn.parameter.Parameter",
    "torch.nn.parameter.Buffer",
    "torch.Size",
    "torch.device",
    "torch.serialization._get_layout",
    "torch.per_tensor_affine",
    "torch.per_channel_affine",
    "torch.per_tensor_symmetric",
    "torch.per_channel_symmetric",
    "torch.per_channel_affine_float_qparams",
    "torch.contiguous_format",
    "torch.channels_last",
    "torch.channels_last_3d",
    "torch.preserve_format",
    "torch.strided",
    "_codecs.encode",
    "__builtin__.complex",
    "builtins.complex",
    "__builtin__.bytearray",
    "builtins.bytearray",
    "numpy.core.multiarray._reconstruct",
    "numpy._core.multiarray._reconstruct",
    "numpy.core.multiarray.scalar",
    "numpy._core.multiarray.scalar",
    "numpy.ndarray",
    "numpy.dtype",
};

template <std::size_t N>
bool in(const std::string_view (&list)[N], std::string_view dotted) {
    return std::find(std::begin(list), std::end(list), dotted) != std::end(list);
}

} // namespace

PickleGlobal torchGlobal(std::string_view dotted) {
    if (in(kDicts, dotted)) return PickleGlobal::dict;
    if (in(kSets, dotted)) return PickleGlobal::set;
    if (in(kInert, dotted) || torchStorageType(dotted) || torchScalarType(dotted)) return PickleGlobal::inert;
    return PickleGlobal::refused;
}

Error refusedTorchGlobal(std::string_view dotted) {
    const char* hint = "save its tensors: torch.save(module.state_dict(), …)";
    if (dotted.starts_with("__torch__."))
        return {ErrorCode::refused,
                fmt::format("a TorchScript module (class {}), which is code", inQuotes(dotted)), "", hint,
                std::nullopt};
    if (dotted.starts_with("torch.nn.") || dotted.starts_with("__main__."))
        return {
            ErrorCode::refused,
            fmt::format("a whole pickled module or object (class {}), which only its own code can rebuild",
                        inQuotes(dotted)),
            "", hint, std::nullopt};
    return refusedGlobal(dotted);
}

} // namespace divdet
