#include "base/error.h"

#include <fmt/format.h>

namespace divdet {

std::string_view toString(ErrorCode code) {
    switch (code) {
    case ErrorCode::notFound:
        return "not-found";
    case ErrorCode::io:
        return "io";
    case ErrorCode::truncated:
        return "truncated";
    case ErrorCode::malformed:
        return "malformed";
    case ErrorCode::unsupported:
        return "unsupported";
    case ErrorCode::refused:
        return "refused";
    case ErrorCode::usage:
        return "usage";
    case ErrorCode::mismatch:
        return "mismatch";
    case ErrorCode::assertion:
        return "assertion";
    case ErrorCode::cancelled:
        return "cancelled";
    case ErrorCode::internal:
        return "internal";
    }
    return "internal";
}

std::string Error::text() const {
    std::string out = message;
    if (!path.empty()) out += ": " + path;
    if (offset) out += fmt::format(" (at byte {})", *offset);
    if (!hint.empty()) out += "; " + hint;
    return out;
}

} // namespace divdet
