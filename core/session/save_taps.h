#pragma once
#include <filesystem>

#include "base/result.h"
#include "run/taps.h"

namespace divdet {

/// Whether a dump can be written under this name. Error: usage, which names the endings there are
/// (.safetensors, .npz).
Status checkDumpEnding(const std::filesystem::path& file);

/// Writes all taps of a run in depth order, names and dtypes as they are; atomic. bf16 in npz is void, as
/// numpy has no such type. Errors: those of checkDumpEnding and of writing.
Status saveTaps(const run::Taps& taps, const std::filesystem::path& file);

} // namespace divdet
