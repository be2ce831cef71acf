#pragma once
#include <string>
#include <string_view>

namespace divdet {

/// UTF-8 as a literal of Python that is the same string, in ASCII: what is not printable there is an escape,
/// so that no text can end the literal or its line. A byte that is no UTF-8 is U+FFFD.
std::string pythonText(std::string_view text);

} // namespace divdet
