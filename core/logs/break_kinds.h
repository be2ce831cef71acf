#pragma once
#include <array>
#include <string_view>

namespace divdet {

/// Why a graph broke, as the contract names it, and what helps.
struct BreakKind {
    std::string_view name;
    std::array<std::string_view, 16>
        needles; ///< any of them in torch's text tells this kind; empty ones are none
    std::array<std::string_view, 3> fixes; ///< keys, the best first
    std::string_view text;                 ///< {site} stands for the user's line
};

/// The first row of the table that fits; `text` is torch's reason, explanation and context, without its hints
/// (which name what other breaks would need). Total: `other` fits everything.
const BreakKind& breakKind(std::string_view text);

} // namespace divdet
