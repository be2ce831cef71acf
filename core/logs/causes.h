#pragma once
#include <array>
#include <span>
#include <string_view>

namespace divdet {

/// What changed between two calls, so that a function was compiled once more.
enum class Cause : unsigned char {
    dynamicShape,
    stride,
    rank,
    dtype,
    device,
    requiresGrad,
    gradMode,
    globalState,
    ambientState,
    intSpecialization,
    floatSpecialization,
    objectIdentity,
    type,
    key,
    parameterShape,
    unknown,
};

/// A cause as the contract names it, and what helps.
struct CauseInfo {
    Cause cause;
    std::string_view name;
    std::string_view what;                 ///< for people: what changed, a noun
    std::array<std::string_view, 2> fixes; ///< keys, the best first; empty ones are none
    /// The fix in words; {name}, {dim} and {values} stand for what the log says.
    std::string_view text;
    /// A property of a tensor (or a switch for all) reaches every function behind the one that is named, so
    /// all functions with this cause count as one root cause. A value of Python stays where it is.
    bool spreads;
};

const CauseInfo& info(Cause cause);
std::span<const CauseInfo> allCauses();

} // namespace divdet
