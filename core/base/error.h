#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace divdet {

/// Why an operation gave no value. The names are stable: they stand in JSON as `error.code`.
enum class ErrorCode {
    notFound,    ///< no such file, tap, pass, block or device
    io,          ///< the operating system refused to open, read or write
    truncated,   ///< a file ends before what its header promises
    malformed,   ///< a file contradicts its own format
    unsupported, ///< well-formed, but something this program does not read or run
    refused,     ///< would run code, leave the given path or exceed a safety limit
    usage,       ///< the caller asked for something that makes no sense
    mismatch,    ///< two things that must agree (shapes, kinds) do not
    assertion,   ///< a kernel's own check failed while it ran
    cancelled,   ///< the caller withdrew the request
    internal,    ///< an invariant of this program is broken
};

std::string_view toString(ErrorCode code);

/// An error is a value: what is wrong, where, and what to do about it. Never printed inside core.
struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string message;                   ///< what is wrong, one sentence without a full stop
    std::string path;                      ///< file, tap or option it is about; may be empty
    std::string hint;                      ///< what to do; may be empty
    std::optional<std::uint64_t> offset{}; ///< byte offset in `path`, where one is known

    /// `message: path (at byte N); hint` as the command line prints it after `divdet: `.
    std::string text() const;
};

} // namespace divdet
