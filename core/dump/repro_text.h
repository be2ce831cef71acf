#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "dump/torch_object.h"

namespace divdet {

/// The inputs of a repro that torch's minifier wrote, from the text of its `load_args(reader)`; nothing is
/// run.
struct ReproStorage {
    std::string hash; ///< file name below `storages`, hexadecimal; empty: no values were saved
    std::uint64_t bytes = 0;
};
struct ReproTensor {
    std::string name;                  ///< from the comment behind the line, else `input` and its number
    std::optional<TorchWindow> window; ///< none: see error
    std::optional<Error> error;        ///< with the offset of its line
};
struct TorchRepro {
    std::vector<ReproStorage> storages;
    std::vector<ReproTensor> tensors;
    std::vector<std::pair<std::string, std::string>> values; ///< symbolic sizes: name and number
};

bool looksLikeRepro(std::string_view text); ///< it has a `load_args(reader)`

TorchRepro parseTorchRepro(std::string_view text);

/// A file name below `storages`: hexadecimal digits, so that it can never lead elsewhere.
bool isStorageHash(std::string_view text);

} // namespace divdet
