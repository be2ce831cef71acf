#pragma once
#include <string_view>

namespace divdet {

/// `*` is any run of characters (dots and slashes too), `?` one byte; everything else stands for itself.
/// Linear in practice and never exponential.
bool globMatches(std::string_view pattern, std::string_view text);

} // namespace divdet
