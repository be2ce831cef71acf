#pragma once
#include <filesystem>

namespace divdet {

/// `entry`, links followed, lies in `folder` or below. False too for what does not exist.
bool staysInside(const std::filesystem::path& entry, const std::filesystem::path& folder);

} // namespace divdet
