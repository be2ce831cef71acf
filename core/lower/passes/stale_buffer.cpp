#include "lower/pass_def.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph&, const block::Op&, std::string_view) {
    return "";
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view) {
    return {{Slot::buffer, kFaultRank, [](Slots& s) { s.buffer = Buffer::stale; }}};
}

} // namespace

/// What is read, and in which memory it lies: run/replay.h.
const PassDef& staleBuffer() {
    static const PassDef def{.variants = {},
                             .otherVariant = nullptr,
                             .otherVariants = "",
                             .whyNot = whyNot,
                             .whyNoOp = "this block has no op",
                             .claims = claims,
                             .single = true};
    return def;
}

} // namespace divdet::lower::passes
