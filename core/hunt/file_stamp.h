#pragma once
#include <filesystem>
#include <string>

namespace divdet::hunt {

/// What changes when a file, or a file anywhere in a folder, is written: sizes, times and identities. Empty
/// where there is nothing.
std::string fileStamp(const std::filesystem::path& path);

/// Waits until a file that is written from now on gets another stamp: clocks of file systems tick in
/// milliseconds.
void waitForFileClock(const std::filesystem::path& path);

} // namespace divdet::hunt
