#pragma once
#include <filesystem>

#include "base/result.h"

namespace divdet {

/// Whether a repro may be written into a folder: what has the name of one of its files there (repro.json,
/// repro.npz, repro.py, repro.md) is a regular file that this program wrote, as its text says. A folder that
/// does not exist is fine. Errors: usage, naming the file; nothing is changed.
Status checkReproFolder(const std::filesystem::path& folder);

inline constexpr const char* kReproInputs = "repro.npz";
/// What repro.py and repro.md hold, and by what they are known for ours.
inline constexpr const char* kReproMark = "Written by divdet";

} // namespace divdet
