#pragma once
#include <string>

namespace divdet {

/// `text` as one word of a POSIX shell: in quotes where it needs them.
std::string shellWord(const std::string& text);

} // namespace divdet
