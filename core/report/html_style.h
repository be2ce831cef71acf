#pragma once
#include <string_view>

namespace divdet {

/// The style of the page: light, and dark where the reader's system asks for it. The colours are those of the
/// workbench.
std::string_view htmlStyle();

} // namespace divdet
