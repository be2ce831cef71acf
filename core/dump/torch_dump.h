#pragma once
#include <memory>
#include <vector>

#include "dump/dump.h"
#include "dump/file_bytes.h"
#include "dump/torch_object.h"
#include "dump/zip_directory.h"

namespace divdet {

/// Where the bytes of a storage are: a run of the file, or a member of the archive.
struct TorchBytes {
    std::optional<Error> error; ///< absent or too small: only the taps on it suffer
    std::uint64_t at = 0;       ///< in the file
    std::optional<ZipMember> member;
};

/// The name that a lone tensor gets: the stem of the file.
std::string loneTensorName(const FileBytes& file);

/// Checks every window against its storage and puts taps, values and cautions into the manifest. `bytes`: one
/// per storage of `contents`. `where` names the pickle in messages. `swapped`: big-endian storages.
std::shared_ptr<const Dump> makeTorchDump(std::shared_ptr<const FileBytes> file, TorchContents contents,
                                          std::vector<TorchBytes> bytes, const std::string& where,
                                          bool swapped);

} // namespace divdet
