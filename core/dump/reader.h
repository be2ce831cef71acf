#pragma once
#include <memory>

#include "base/result.h"
#include "dump/dump.h"
#include "dump/file_bytes.h"

namespace divdet {

/// A format: how its content is recognised and how a manifest is made of it. One file per reader, one line in
/// readers.def.
struct Reader {
    bool (*matches)(const FileBytes& file); ///< by content; cheap, and true for damaged files of the format
    Result<std::shared_ptr<const Dump>> (*open)(std::shared_ptr<const FileBytes> file);
};

} // namespace divdet
