#include "compare/chunk.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "compare/ulp.h"

namespace divdet {
namespace {

std::size_t ulpBin(double distance) {
    if (distance < 1) return 0;
    return static_cast<std::size_t>(std::min(std::ilogb(distance) + 1, 65));
}

void raise(Extreme& extreme, double value, std::int64_t index) {
    if (extreme.index < 0 || value > extreme.value) extreme = {value, index};
}

void raise(Extreme& extreme, const Extreme& later) {
    if (later.index >= 0) raise(extreme, later.value, later.index);
}

/// Keeps the element with the larger abs/bound, the earlier one of equals; the ratio as double division
/// rounds it (infinite at a bound of zero), so that ties are those a reader of the numbers sees.
void raise(Element& worst, const Element& later) {
    if (worst.index < 0 || later.abs / later.bound > worst.abs / worst.bound) worst = later;
}

void add(SideCounts& a, const SideCounts& b) {
    a.reference += b.reference;
    a.candidate += b.candidate;
    a.both += b.both;
}

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
    s.zero.candidate += c == 0;
    s.zero.reference += r == 0;
    s.zero.both += c == 0 && r == 0;
    s.signedZero += !ctx.complex && c == 0 && r == 0 && std::signbit(c) != std::signbit(r);
    const bool subC = c != 0 && std::fabs(c) < ctx.normalCandidate;
    const bool subR = r != 0 && std::fabs(r) < ctx.normalReference;
    s.subnormal.candidate += subC;
    s.subnormal.reference += subR;
    s.subnormal.both += subC && subR;
    if (std::isfinite(r)) {
        ++s.finiteReference;
        const double m = std::fabs(r);
        s.maxMagnitude = std::max(s.maxMagnitude, m);
        if (m > 0) s.minMagnitude = std::min(s.minMagnitude, m);
    }
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

void countDifference(const ScanContext& ctx, double c, double r, double e, double m, std::int64_t index,
                     Chunk& chunk) {
    Summary& s = chunk.part;
    if (m > 0)
        raise(s.maxRel, e / m, index);
    else
        ++s.infiniteRel;
    chunk.frontier.add(m, e);
    if (!ctx.complex) {
        s.above += c > r;
        s.below += c < r;
    }
    if (!ctx.ulpType) return;
    const double ulp = ulpDistance(c, r, *ctx.ulpType);
    ++s.ulpHistogram[ulpBin(ulp)];
    if (ulp > *s.maxUlp) {
        s.maxUlp = ulp;
        s.ulpSignFlips = std::signbit(c) != std::signbit(r) && c != 0 && r != 0;
    }
}

} // namespace

ScanContext makeContext(const TensorView& reference, const TensorView& candidate, const Tolerance& t,
                        bool tiles) {
    ScanContext ctx{reference, candidate, t, ulpDType(reference.dtype, candidate.dtype)};
    ctx.complex = kind(reference.dtype) == DTypeKind::complex || kind(candidate.dtype) == DTypeKind::complex;
    ctx.comparableBytes =
        reference.dtype == candidate.dtype && reference.contiguous() && candidate.contiguous();
    ctx.normalReference = smallestNormal(reference.dtype);
    ctx.normalCandidate = smallestNormal(candidate.dtype);
    ctx.significantFrom = t.atol / t.rtol; // 0/0: nan, which no magnitude reaches
    if (t.atol == 0) ctx.significantFrom = 0;
    ctx.tiles = tiles;
    return ctx;
}

void addAtTolerance(const ScanContext& ctx, std::int64_t first, const ElementBlock& block, AtTolerance& at) {
    for (int i = 0; i < block.count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const double e = block.error[k], m = block.magnitude[k];
        bool fails = false;
        switch (block.state[k]) {
        case PairState::equal:
            break;
        case PairState::bothNan:
            fails = !ctx.tolerance.equalNan;
            break;
        case PairState::never:
            fails = true;
            break;
        case PairState::masked:
            continue;
        case PairState::finite:
            fails = !passesFinite(ctx.tolerance, e, m);
            if (fails) {
                const double limit = bound(ctx.tolerance, m);
                raise(at.worst, {first + i, block.reference[k], block.candidate[k], e, 0, limit});
            }
            break;
        }
        if ((block.state[k] == PairState::finite || block.state[k] == PairState::equal) && m > 0 &&
            m >= ctx.significantFrom && std::isfinite(m)) {
            const double rel = e / m;
            if (!at.significantMaxRel || rel > *at.significantMaxRel) at.significantMaxRel = rel;
        }
        if (!fails) continue;
        if (at.firstMismatch < 0) at.firstMismatch = first + i;
        ++at.mismatches;
    }
}

void mergeAtTolerance(const AtTolerance& later, AtTolerance& at) {
    at.mismatches += later.mismatches;
    if (at.firstMismatch < 0) at.firstMismatch = later.firstMismatch;
    if (later.significantMaxRel &&
        (!at.significantMaxRel || *later.significantMaxRel > *at.significantMaxRel))
        at.significantMaxRel = later.significantMaxRel;
    if (later.worst.index >= 0) raise(at.worst, later.worst);
}

void Chunk::add(const ScanContext& ctx, const TileGrid& grid, std::int64_t first, const ElementBlock& block) {
    Sums own;
    if (ctx.ulpType && !part.maxUlp) part.maxUlp = 0;
    for (int i = 0; i < block.count; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const double c = block.candidate[k], r = block.reference[k], e = block.error[k],
                     m = block.magnitude[k];
        const PairState state = block.state[k];
        if (state == PairState::masked) continue;
        ++part.elements;
        countKinds(ctx, c, r, part);
        if (state == PairState::equal) ++part.equal;
        const bool finitePair = state == PairState::finite || (state == PairState::equal && std::isfinite(m));
        if (!finitePair) {
            part.never += state == PairState::never;
            if (state == PairState::never && std::isfinite(c) && std::isfinite(r)) {
                ++part.overflowedError;
                raise(part.maxAbs, e, first + i);
                if (m > 0) raise(part.maxRel, e / m, first + i);
            }
            continue;
        }
        ++part.finite;
        raise(part.maxAbs, e, first + i);
        part.histogram.add(m, e);
        if (state == PairState::finite) {
            countDifference(ctx, c, r, e, m, first + i, *this);
        } else {
            ++part.ulpHistogram[0];
            if (m > 0) raise(part.maxRel, 0, first + i);
        }
        own.abs += e;
        own.abs2 += e * e;
        own.diff += c - r;
        own.ref += r;
        own.cand += c;
        own.ref2 += r * r;
        own.cand2 += c * c;
        own.cross += c * r;
    }
    sums.push(own);
    addAtTolerance(ctx, first, block, part.at);
    if (ctx.tiles) tiles.add(grid, first, block);
    if (ctx.comparableBytes && sameBytes) sameBytes = bytesEqual(ctx, first, block);
}

void Chunk::merge(const Chunk& later, const Frontier& laterFrontier, const TileGrid& grid) {
    Summary& a = part;
    const Summary& b = later.part;
    a.elements += b.elements;
    a.equal += b.equal;
    a.finite += b.finite;
    raise(a.maxAbs, b.maxAbs);
    raise(a.maxRel, b.maxRel);
    a.infiniteRel += b.infiniteRel;
    if (b.maxUlp && (!a.maxUlp || *b.maxUlp > *a.maxUlp)) {
        a.maxUlp = b.maxUlp;
        a.ulpSignFlips = b.ulpSignFlips;
    }
    a.above += b.above;
    a.below += b.below;
    divdet::add(a.nan, b.nan);
    divdet::add(a.inf, b.inf);
    divdet::add(a.zero, b.zero);
    divdet::add(a.subnormal, b.subnormal);
    a.signedZero += b.signedZero;
    a.never += b.never;
    a.overflowedError += b.overflowedError;
    a.maxMagnitude = std::max(a.maxMagnitude, b.maxMagnitude);
    a.minMagnitude = std::min(a.minMagnitude, b.minMagnitude);
    a.finiteReference += b.finiteReference;
    a.histogram.merge(b.histogram);
    for (std::size_t i = 0; i < a.ulpHistogram.size(); ++i) a.ulpHistogram[i] += b.ulpHistogram[i];
    mergeAtTolerance(b.at, a.at);
    sums.push(later.sums.total());
    frontier.merge(laterFrontier);
    later.tiles.addTo(grid, tiles);
    sameBytes = sameBytes && later.sameBytes;
}

Summary finishSummary(const ScanContext& ctx, Chunk&& whole, const TileGrid& grid) {
    Summary s = std::move(whole.part);
    const Sums t = whole.sums.total();
    const auto n = static_cast<double>(s.finite);
    s.frontier = whole.frontier.finish();
    for (Rule rule : {Rule::allclose, Rule::either})
        s.neededLinked[static_cast<std::size_t>(rule)] = s.frontier.neededLinked(rule);
    if (ctx.tiles) s.tiles = whole.tiles.finish(grid);
    s.at.tolerance = ctx.tolerance;
    if (s.at.worst.index >= 0) s.at.worst.rel = s.at.worst.abs / std::fabs(s.at.worst.reference);
    s.bitIdentical = ctx.comparableBytes ? whole.sameBytes
                                         : ctx.reference.dtype == ctx.candidate.dtype &&
                                               s.equal == s.elements && s.signedZero == 0;
    if (ctx.ulpType && !s.maxUlp) s.maxUlp = 0; // no elements
    if (s.finite == 0) return s;
    s.meanAbs = t.abs / n;
    s.rms = std::sqrt(t.abs2 / n);
    s.rmsReference = std::sqrt(t.ref2 / n);
    s.rmsCandidate = std::sqrt(t.cand2 / n);
    if (t.abs2 > 0) s.sqnrDb = 10 * std::log10(t.ref2 / t.abs2);
    if (ctx.complex) return s; // the rest needs signed differences
    if (t.ref2 > 0 && t.cand2 > 0) s.cosine = t.cross / (std::sqrt(t.ref2) * std::sqrt(t.cand2));
    s.meanReference = t.ref / n;
    s.bias = t.diff / n;
    if (n > 1) s.biasError = std::sqrt(std::max(0.0, t.abs2 - n * *s.bias * *s.bias) / (n * (n - 1)));
    const double spread = t.ref2 - t.ref * t.ref / n;
    if (spread > 1e-12 * t.ref2) {
        const double gain = (t.cross - t.ref * t.cand / n) / spread;
        s.regression = Regression{gain, (t.cand - gain * t.ref) / n};
    }
    return s;
}

} // namespace divdet
