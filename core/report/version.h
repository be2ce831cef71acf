#pragma once
#include <string_view>

namespace divdet {

std::string_view version(); ///< of the program, as `1.2.3`

} // namespace divdet
