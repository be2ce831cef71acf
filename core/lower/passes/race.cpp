#include "lower/pass_def.h"
#include "lower/passes/seed.h"

namespace divdet::lower::passes {
namespace {

std::string whyNot(const block::BoundGraph& block, const block::Op& op, std::string_view) {
    return needsMatrixProduct(block, op);
}

std::vector<Claim> claims(const block::BoundGraph&, const block::Op&, std::string_view variant) {
    const std::uint64_t seed = seedOf(variant).value_or(0);
    return {{Slot::barrier, kFaultRank, [seed](Slots& s) {
                 s.missingBarrier = true;
                 s.barrierSeed = seed;
             }}};
}

} // namespace

/// Which tiles and what they read: numerics/half_written.h.
const PassDef& race() {
    static const PassDef def{.variants = {},
                             .otherVariant = canonicalSeed,
                             .otherVariants = kSeedVariants,
                             .whyNot = whyNot,
                             .whyNoOp = kNoMatrixProduct,
                             .claims = claims,
                             .varies = true};
    return def;
}

} // namespace divdet::lower::passes
