#pragma once
#include <string>
#include <vector>

#include "base/result.h"
#include "dump/pickle_reader.h"
#include "dump/zip_directory.h"

namespace divdet {

/// A zip file of torch.save: its directory and the bytes of its pickle.
struct TorchArchive {
    std::vector<ZipMember> members;
    std::string folder;            ///< ends in `/`; whatever the name, or empty
    std::string pickleName;        ///< member that holds the pickle
    std::vector<std::byte> pickle; ///< parsed by readPickle, whose texts point in here
    bool bigEndian = false;        ///< of the storages

    const ZipMember* find(const std::string& name) const;
};

bool isTorchArchive(const FileBytes& file); ///< reads the zip directory

/// Errors: those of the zip directory and of the members; malformed without a pickle; refused for
/// TorchScript.
Result<TorchArchive> readTorchArchive(const FileBytes& file);

Error inMember(Error e, const FileBytes& file, const std::string& member); ///< path becomes `file: member`

} // namespace divdet
