#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "block/bind.h"
#include "lower/pass_info.h"
#include "lower/slots.h"

namespace divdet::lower {

/// A pass's wish for one slot of one op. Where several passes wish for a slot the highest rank wins, the
/// later one among equals.
struct Claim {
    Slot slot;
    int rank;
    std::function<void(Slots&)> set; ///< touches only the fields of `slot`
};

/// The behaviour of a pass; its names and words are in passes.def.
struct PassDef {
    std::vector<std::string_view> variants; ///< as PassInfo::variants

    /// Canonical form of a variant that is not listed (`splitk:16`), nullopt when it is none. May be null.
    std::optional<std::string> (*otherVariant)(std::string_view text);
    std::string_view otherVariants; ///< what otherVariant takes, for hints; empty with a null otherVariant

    /// Why an op cannot take the pass; empty: it can.
    std::string (*whyNot)(const block::BoundGraph& block, const block::Op& op);

    std::string_view whyNoOp; ///< completes "X does not fit: …" when whyNot refuses every op of a block

    /// Called only for ops that fit, with a canonical variant.
    std::vector<Claim> (*claims)(const block::BoundGraph& block, const block::Op& op,
                                 std::string_view variant);
};

/// nullptr when there is no such pass.
const PassDef* passDef(std::string_view id);

/// Reason of a pass that needs a sum of products; empty when the op is one.
std::string needsMatrixProduct(const block::BoundGraph& block, const block::Op& op);
inline constexpr std::string_view kNoMatrixProduct = "this block has no matrix product";

} // namespace divdet::lower
