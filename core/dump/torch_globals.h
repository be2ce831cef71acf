#pragma once
#include <string_view>

#include "dump/pickle_reader.h"

namespace divdet {

/// The short list of names that a PyTorch file may hold: how tensors, parameters and storages are rebuilt,
/// element types, sizes, devices, plain containers, numpy's arrays (kept as records). Everything else is
/// refused.
PickleGlobal torchGlobal(std::string_view dotted);

/// Why a name is refused: a whole module, TorchScript, or just not on the list.
Error refusedTorchGlobal(std::string_view dotted);

inline constexpr PickleGlobals kTorchGlobals{torchGlobal, refusedTorchGlobal};

} // namespace divdet
