#pragma once
#include <span>
#include <string>

namespace divdet {

/// Whether the names are those of one output again and again (iter0, iter1 …; out_0, out_1 …), numbered by a
/// word that says so. Such taps are no stages of a depth: no error rides from one to the next.
bool areRepeats(std::span<const std::string> names);

} // namespace divdet
