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

    /// Only what the pass needs in order to act (a wrong int8 scale needs int8): another pass that sets the
    /// slot as well overrides nothing of it.
    bool implied = false;
};

/// The behaviour of a pass; its names and words are in passes.def.
struct PassDef {
    std::vector<std::string_view> variants; ///< as PassInfo::variants

    /// Canonical form of a variant that is not listed (`splitk:16`), nullopt when it is none. May be null.
    std::optional<std::string> (*otherVariant)(std::string_view text);
    std::string_view otherVariants; ///< what otherVariant takes, for hints; empty with a null otherVariant

    /// Why an op cannot take the pass in this variant; empty: it can.
    std::string (*whyNot)(const block::BoundGraph& block, const block::Op& op, std::string_view variant);

    std::string_view whyNoOp; ///< completes "X does not fit: …" when whyNot refuses every op of a block

    /// Called only for ops that fit, with a canonical variant. Null: the pass sets no slot.
    std::vector<Claim> (*claims)(const block::BoundGraph& block, const block::Op& op,
                                 std::string_view variant);

    /// For passes of stage capture or decompose: changes inputs and attributes of op number `op`, nothing
    /// else, so that values, taps and shapes stay. Null: the graph stays as it is.
    void (*rewrite)(block::BoundGraph& block, std::size_t op, std::string_view variant) = nullptr;

    bool single = false; ///< with no op named it acts on the first that it fits, not on all of them
    bool varies = false; ///< as PassInfo::varies; the variant that a run fills in is `seed:N`

    /// How to get a block that it fits: the hint beside whyNoOp. Null: no hint.
    std::string (*elsewhere)(const block::BoundGraph& block) = nullptr;
};

/// nullptr when there is no such pass.
const PassDef* passDef(std::string_view id);

/// Rank of a fault's claim: a bug that was asked for shows, whatever drift is on beside it.
inline constexpr int kFaultRank = 100;

// Reasons that several passes share; empty when the op fits.
std::string needsMatrixProduct(const block::BoundGraph& block, const block::Op& op);
std::string needsWeights(const block::BoundGraph& block, const block::Op& op); ///< a product with weights
inline constexpr std::string_view kNoMatrixProduct = "this block has no matrix product";
inline constexpr std::string_view kNoWeights = "this block has no product with weights";

/// Terms of the sum behind one output of a product or a plain sum along a dimension (k); 0 for other ops.
std::int64_t termsOf(const block::BoundGraph& block, const block::Op& op);

/// Columns of one product of the op: output channels of one group in a convolution. Precondition: a product.
std::int64_t columnsOf(const block::BoundGraph& block, const block::Op& op);

} // namespace divdet::lower
