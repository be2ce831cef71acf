#pragma once
#include <filesystem>
#include <memory>

#include "base/result.h"
#include "dump/dump.h"

namespace divdet {

/// What torch's minifier leaves: `repro.py` or `minifier_launcher.py` beside `checkpoints`, which holds
/// `storages/HASH` and, when whole tensors were saved, `tensors/NAME`. The folder of a run, its `minifier`
/// and its `checkpoints` are all recognised.
bool isMinifierFolder(const std::filesystem::path& folder);

/// Taps are the saved tensors if there are any, else the inputs of the repro (of the launcher where the
/// search found nothing), else the bare storages. Nothing outside the folder is opened, links are not
/// followed.
Result<std::shared_ptr<const Dump>> openMinifierFolder(const std::filesystem::path& folder);

} // namespace divdet
