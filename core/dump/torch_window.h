#pragma once
#include "dump/torch_object.h"

namespace divdet {

/// Whether the window lies inside a storage of `bytes` bytes; every sum is checked. Errors: malformed,
/// refused where a window repeats few bytes into more than limits.h allows.
std::optional<Error> checkWindow(const TorchWindow& window, std::uint64_t bytes);

/// The window on `storage`, its first byte. Precondition: checkWindow found nothing.
TensorView windowView(const TorchWindow& window, const std::byte* storage, bool swapped);

} // namespace divdet
