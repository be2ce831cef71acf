#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "dump/dump.h"
#include "dump/pickle_value.h"
#include "dump/torch_type.h"

namespace divdet {

/// A storage as the pickle describes it; where its bytes are is the container's matter.
struct TorchStorage {
    std::string key;
    TorchType type;
    std::uint64_t elements = 0; ///< claimed
};

/// How stored integers become values: (q - zeroPoint) · scale, per tensor or per index along `axis`.
struct TorchQuantiser {
    bool perChannel = false;
    double scale = 1;
    std::int64_t zeroPoint = 0;
    std::size_t axis = 0;
    std::size_t scales = 0,
                zeroPoints = 0; ///< per channel: places of two more windows in TorchContents::parts
};

/// A window on a storage: elements, not bytes. Not yet checked against anything.
struct TorchWindow {
    std::size_t storage = 0; ///< in TorchContents::storages
    std::uint64_t offset = 0;
    TorchType type;
    Shape shape;
    std::vector<std::int64_t> strides;
    bool conjugated = false, negated = false; ///< the values are the stored ones with the sign changed
    std::optional<TorchQuantiser> quantiser;
};

struct TorchTap {
    std::string name;
    std::optional<TorchWindow> window; ///< none: see error
    std::optional<Error> error;        ///< sparse, unknown type, malformed arguments; without a path
};

/// All that a pickled object of PyTorch holds, in its own order.
struct TorchContents {
    std::vector<TorchTap> taps;
    std::vector<TorchStorage> storages;
    std::vector<TorchWindow> parts; ///< scales and zero points of quantised tensors
    std::vector<std::pair<std::string, std::string>>
        values; ///< numbers and texts beside tensors, as Python prints
    std::vector<Caution> cautions;
};

/// Walks dictionaries, lists and tuples; names are joined with `.`, a lone tensor is called `lone`. Offsets
/// in errors are those of the pickle. Errors as a whole: refused beyond limits.h, unsupported
/// without a tensor.
Result<TorchContents> readTorchObject(const Pickle& pickle, const std::string& lone);

} // namespace divdet
