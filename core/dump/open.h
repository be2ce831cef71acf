#pragma once
#include <filesystem>
#include <memory>

#include "base/result.h"
#include "dump/dump.h"
#include "dump/file_bytes.h"
#include "dump/rank_join.h"
#include "dump/raw_file.h"

namespace divdet {

struct OpenOptions {
    bool folders = true; ///< false: a folder is an error
    std::string runner;  ///< of a file with several runners; empty: all of them, as taps `runner/…`
    std::optional<RawFormat> raw{}; ///< the file has no header; its content is not looked at
    RankJoin ranks{};               ///< for folders of ranks
};

/// Opens a file by its content (the suffix only words an error), or a folder of such files. Reads headers,
/// not data. Errors: notFound, io, refused (not a regular file, beyond limits.h), truncated or malformed, and
/// unsupported with the format named where it can be told.
Result<std::shared_ptr<const Dump>> openDump(const std::filesystem::path& path,
                                             const OpenOptions& options = {});

/// The same for bytes that are open already.
Result<std::shared_ptr<const Dump>> openDump(std::shared_ptr<const FileBytes> file);

/// Every readable file of the folder (not of folders below) gives one tap named by its stem, or, holding
/// several tensors, taps `stem/name`. Order: a trailing number that tells all files apart, else natural order
/// of names. Links that leave the folder and files that hold no arrays are cautions, damaged arrays taps with
/// an error.
///
/// Folders `rank0`, `rank1`, … and files with a rank in every name are joined as `ranks` says. A folder with
/// the index of a sharded safetensors model is that model.
Result<std::shared_ptr<const Dump>> openFolder(const std::filesystem::path& path, const RankJoin& ranks = {});

} // namespace divdet
