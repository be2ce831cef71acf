#pragma once
#include <string_view>

#include "logs/guard_reason.h"

namespace divdet {

/// The reasons that are Python expressions, which torch evaluated on the arguments and found false. Each
/// function fills `out` and says true where `s`, without its comment, is of its kind; it may be anything.

/// L['x'].size()[1] == 512, its relatives for strides, and expressions over the symbols of sizes.
bool sizeExpression(std::string_view s, GuardReason& out);
/// Lengths, keys and members of containers.
bool containerExpression(std::string_view s, GuardReason& out);
/// What is left: a name compared with a constant.
bool valueExpression(std::string_view s, GuardReason& out);

/// `first` and `rest` are the two arguments in `call(first, rest)`, wherever in `s` it stands; `call` ends in
/// its bracket. False where it does not occur.
bool callOf(std::string_view s, std::string_view call, std::string_view& first, std::string_view& rest);

/// The function whose part `source` is, such as its code or a cell of its closure; empty for other sources.
/// When such a part differs, the caller passes another function each time.
std::string_view functionOf(std::string_view source);

} // namespace divdet
