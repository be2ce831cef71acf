#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace divdet {

/// What was printed while a program of torch's ran.
struct TorchConsole {
    std::filesystem::path path;
    std::string command;       ///< behind `$ ` in its first line; empty: it has no such line
    std::optional<int> status; ///< of its last line `exit status N`
    std::string error;         ///< the last line that names a Python exception; empty: none did
    std::string errorClass;    ///< the innermost name in it, without its module: AccuracyError
};

/// Loggers' prefixes are looked through, and so are names of exceptions around others.
TorchConsole parseTorchConsole(std::string_view text);

/// Errors: those of the file; refused above kMostConsole bytes.
Result<TorchConsole> readTorchConsole(const std::filesystem::path& file);

inline constexpr std::size_t kMostConsole = 64u << 20;

} // namespace divdet
