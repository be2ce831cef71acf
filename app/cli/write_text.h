#pragma once
#include <string>
#include <string_view>

namespace divdet::cli {

/// To a file (atomically), or to stdout for `-`. False after an error was printed.
bool writeText(const std::string& path, std::string_view text);

} // namespace divdet::cli
