#pragma once
#include <filesystem>

#include "session/result_file.h"

namespace divdet {

/// What may be decided again when a result file is opened.
struct ReopenRequest {
    std::filesystem::path path;
    ToleranceOverrides overrides; ///< over the tolerance the file was saved with
    JudgeSelection judge;         ///< Kind::standard: as saved
    bool ignoreMissing = false;
};

/// The saved comparison with its tolerance and selection as asked. Errors: those of readResult; usage for a
/// judged name that is no pair.
Result<SavedResult> reopenResult(const ReopenRequest& request);

} // namespace divdet
