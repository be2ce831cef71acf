#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compare/tolerance.h"

namespace divdet {

/// A tolerance for the taps whose name matches; what it leaves out is that of the whole comparison.
struct TapTolerance {
    std::string glob;
    ToleranceOverrides overrides;
};

/// Reads lines `GLOB RTOL ATOL [RULE] [equal-nan]` (a dash leaves a number out, # starts a comment), or JSON:
/// a list of {"tap", "rtol", "atol", "rule", "equal_nan"}, of which only "tap" must be there.
/// Errors: io; usage with the line or entry.
Result<std::vector<TapTolerance>> readTapTolerances(const std::filesystem::path& path);
Result<std::vector<TapTolerance>> parseTapTolerances(std::string_view text, const std::string& where);

/// The first entry that matches; null: none does.
const TapTolerance* findTapTolerance(const std::vector<TapTolerance>& list, std::string_view tap);

} // namespace divdet
