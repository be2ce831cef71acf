#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/sigbus_guard.h"
#include "compare/chunk.h"
#include "compare/ulp.h"

namespace divdet {
namespace {

/// NaN, infinity, zero and subnormal counts of one element.
void countKinds(const ScanContext& ctx, double c, double r, Summary& s) {
    const bool nanC = std::isnan(c), nanR = std::isnan(r);
    s.nan.candidate += nanC;
    s.nan.reference += nanR;
    s.nan.both += nanC && nanR;
    const bool infC = std::isinf(c), infR = std::isinf(r);
    s.inf.candidate += infC;
    s.inf.reference += infR;
    s.inf.both += infC && infR && c == r;
    if (std::isfinite(r)) {
        ++s.finiteReference;
        const double m = std::fabs(r);
        s.maxMagnitude = std::max(s.maxMagnitude, m);
        if (m > 0) s.minMagnitude = std::min(s.minMagnitude, m);
    }
    s.signedZero += !ctx.complex && c == 0 && r == 0 && std::signbit(c) != std::signbit(r);
    if (!ctx.full) return;
    s.zero.candidate += c == 0;
    s.zero.reference += r == 0;
    s.zero.both += c == 0 && r == 0;
    const bool subC = c != 0 && std::fabs(c) < ctx.normalCandidate;
    const bool subR = r != 0 && std::fabs(r) < ctx.normalReference;
    s.subnormal.candidate += subC;
    s.subnormal.reference += subR;
    s.subnormal.both += subC && subR;
}

bool bytesEqual(const ScanContext& ctx, std::int64_t first, const ElementBlock& block) {
    const std::size_t item = itemSize(ctx.reference.dtype), count = static_cast<std::size_t>(block.count);
    const std::byte* r = ctx.reference.data + static_cast<std::size_t>(first) * item;
    const std::byte* c = ctx.candidate.data + static_cast<std::size_t>(first) * item;
    if (!ctx.mask) return std::memcmp(r, c, count * item) == 0;
    for (std::size_t i = 0; i < count; ++i)
        if (block.state[i] != PairState::masked && std::memcmp(r + i * item, c + i * item, item) != 0)
            return false;
    return true;
}

} // namespace

WideSums wideSums(const ElementBlock& block) {
    WideSums sums;
    for (std::size_t i = 0; i < static_cast<std::size_t>(block.count); ++i)
        if (finitePair(block.state[i], block.magnitude[i]))
            sums.add(block.candidate[i], block.reference[i], block.error[i]);
    return sums;
}

void addUlps(const ScanContext& ctx, const ElementBlock& block, Chunk& chunk) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(block.count); ++i) {
        if (!finitePair(block.state[i], block.magnitude[i])) continue;
        const double c = block.candidate[i], r = block.reference[i];
        const double ulp = block.state[i] == PairState::equal ? 0 : ulpDistance(c, r, *ctx.ulpType);
        ++chunk.part.ulpHistogram[ulpBin(ulp)];
        chunk.raiseUlp(ulp, c, r);
    }
}

bool addBlock(const ScanContext& ctx, const TileGrid& grid, std::int64_t first, const ElementBlock& block,
              ErrorHistogram& histogram, Chunk& chunk) {
    Summary& part = chunk.part;
    LaneSums lanes;
    LargestValues largest;
    for (int i = 0; i < block.count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const PairValues p{block.state[k], block.candidate[k], block.reference[k],
                           block.error[k], block.magnitude[k], first + i};
        if (p.state == PairState::masked) continue;
        ++part.elements;
        countKinds(ctx, p.candidate, p.reference, part);
        part.equal += p.state == PairState::equal;
        chunk.addExtremes(ctx, p);
        if (!finitePair(p.state, p.magnitude)) {
            part.never += p.state == PairState::never;
            part.overflowedError +=
                p.state == PairState::never && std::isfinite(p.candidate) && std::isfinite(p.reference);
            continue;
        }
        ++part.finite;
        part.infiniteRel += p.state == PairState::finite && p.magnitude == 0;
        if (!ctx.full) continue;
        histogram.add(p.magnitude, p.error);
        if (!ctx.complex && p.state == PairState::finite) {
            part.above += p.candidate > p.reference;
            part.below += p.candidate < p.reference;
        }
        if (!ctx.ulpType) part.ulpHistogram[0] += p.state == PairState::equal;
        lanes.add(i, p.candidate, p.reference, p.error);
        largest.error = std::max(largest.error, p.error);
        largest.candidate = std::max(largest.candidate, std::fabs(p.candidate));
        largest.reference = std::max(largest.reference, p.magnitude);
    }
    if (ctx.full && squaresLeaveRange(largest))
        chunk.wideSums.push(wideSums(block));
    else if (ctx.full)
        chunk.sums.push(lanes.folded());
    if (ctx.ulpType) addUlps(ctx, block, chunk);
    if (ctx.tiles) chunk.tiles.add(grid, first, block);
    if (!ctx.comparableBytes || !chunk.sameBytes) return true;
    return guardMappedRead([&] { chunk.sameBytes = bytesEqual(ctx, first, block); });
}

} // namespace divdet
