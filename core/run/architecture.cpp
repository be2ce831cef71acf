#include "run/architecture.h"

#include <string>

namespace divdet::run {

std::optional<numerics::Arch> parseArchitecture(std::string_view text) {
    using numerics::Arch;
    for (const Arch arch : {Arch::sm70, Arch::sm75, Arch::sm80, Arch::sm86, Arch::sm87, Arch::sm89,
                            Arch::sm90, Arch::sm100, Arch::sm120})
        if (text == "sm_" + std::to_string(static_cast<int>(arch))) return arch;
    return std::nullopt;
}

} // namespace divdet::run
