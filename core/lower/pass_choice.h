#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "block/bind.h"

namespace divdet::lower {

/// A pass that is switched on.
struct PassChoice {
    std::string id;
    std::string variant;          ///< canonical; empty for a pass without variants
    std::vector<std::string> ops; ///< names; empty: see actingOps

    bool operator==(const PassChoice&) const = default;
};

/// `ID[=VARIANT][@OP,OP…]`, as `--pass` takes it. The default variant is filled in. Errors: usage for an
/// unknown pass (the hint has the nearest name) or variant (the hint lists them).
Result<PassChoice> parsePass(std::string_view text);

/// The text that parsePass turns into this choice.
std::string toString(const PassChoice& choice);

/// Names of the ops that a pass fits; `variant` empty: in its default variant. Precondition: the pass exists.
std::vector<std::string> fittingOps(const block::BoundGraph& block, std::string_view passId,
                                    std::string_view variant = {});

/// Names of the ops that a choice acts on: those it names, or else all that it fits (of swapped-weight the
/// first). Precondition: checkFit.
std::vector<std::string> actingOps(const block::BoundGraph& block, const PassChoice& choice);

/// Whether the choice makes sense on this block. Errors: usage with the reason: no op of the block fits, or a
/// named op does not; notFound for a name that is no op of the block.
Status checkFit(const block::BoundGraph& block, const PassChoice& choice);

/// What a new live block starts with: reassociate, tf32 and int8, those that fit; no bug.
std::vector<PassChoice> defaultPasses(const block::BoundGraph& block);

} // namespace divdet::lower
