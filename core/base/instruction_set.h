#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace divdet {

/// Which vector instructions the loops of this program use. Every choice gives the same bits.

/// The sets this machine has, best first, as useInstructionSet takes them: avx512, avx2, sse4, … , scalar.
std::vector<std::string> instructionSets();

/// Uses no set better than this one; an empty name: the best there is. ErrorCode::usage for a name that is
/// not in the list. Not thread-safe: call it before the work starts.
Status useInstructionSet(std::string_view name);

/// The same with the name in the environment variable DIVDET_ISA, when it is set.
Status useInstructionSetOfEnvironment();

} // namespace divdet
