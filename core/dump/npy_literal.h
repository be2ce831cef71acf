#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace divdet {

/// A value of the Python literal in an npy header. Data only: nothing is ever evaluated.
struct NpyLiteral {
    enum class Kind { none, boolean, integer, text, tuple, list, dict };
    Kind kind = Kind::none;
    std::int64_t integer = 0;      ///< integer; boolean as 0 or 1
    std::string text;              ///< UTF-8
    std::vector<NpyLiteral> items; ///< tuple, list; dict as key, value, key, value, …
};

/// Reads one literal that fills `header` (white space and comments around it aside): None, True, False,
/// integers (decimal, 0x, 0o, 0b, `1_000`), strings ('', "", raw, u'', adjacent ones joined, usual escapes),
/// tuples, lists, dicts. `python2Longs` allows `3L`, as versions 1 and 2 of the format do.
/// Errors: malformed with the offset in `header`; refused where depth or size pass limits.h.
Result<NpyLiteral> parseNpyLiteral(std::string_view header, bool python2Longs);

} // namespace divdet
