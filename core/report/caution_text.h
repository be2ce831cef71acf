#pragma once
#include <string_view>

namespace divdet {

/// One or two sentences on what a caution means and what to do. Every id of the command line has one; others
/// get a general sentence.
std::string_view cautionText(std::string_view id);

} // namespace divdet
