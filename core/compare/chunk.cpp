#include "compare/chunk.h"

#include <algorithm>
#include <cmath>

#include "compare/ulp.h"

namespace divdet {
namespace {

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

bool fitsFloat(DType t) {
    switch (t) {
    case DType::f32:
    case DType::f16:
    case DType::bf16:
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::i8:
    case DType::i16:
    case DType::u8:
    case DType::u16:
    case DType::boolean:
        return true;
    default:
        return false;
    }
}

bool isInteger(DType t) {
    return kind(t) == DTypeKind::integer || kind(t) == DTypeKind::boolean;
}

Lanes lanesFor(const ScanContext& ctx) {
    const DType r = ctx.reference.dtype, c = ctx.candidate.dtype;
    const auto wide = [](DType t) { return t == DType::i64 || t == DType::u64; };
    if (ctx.mask || ctx.complex || (isInteger(r) && isInteger(c) && (wide(r) || wide(c)))) return Lanes::none;
    return fitsFloat(r) && fitsFloat(c) ? Lanes::f32 : Lanes::f64;
}

/// The codes of each format are those of core's rounding headers.
kernels::UlpFormat ulpFormat(DType t, bool rounds) {
    switch (t) {
    case DType::f32:
        return {};
    case DType::bf16:
        return {16, 0, 0x7F80, 0, 0, rounds};
    case DType::f16:
        return {13, 112 << 10, 0x7C00, 0x1p-14f, 0x1p24f, rounds};
    case DType::f8e4m3:
        return {20, 120 << 3, 0x7F, 0x1p-6f, 0x1p9f, rounds};
    case DType::f8e5m2:
        return {21, 112 << 2, 0x7C, 0x1p-14f, 0x1p16f, rounds};
    default:
        return {0, 0, 0, 0, 0, false, true};
    }
}

} // namespace

ScanContext makeContext(const TensorView& reference, const TensorView& candidate,
                        const ScanSettings& settings) {
    const Tolerance& t = settings.tolerance;
    ScanContext ctx;
    ctx.reference = reference;
    ctx.candidate = candidate;
    ctx.tolerance = t;
    ctx.mask = settings.mask;
    ctx.full = settings.depth == ScanDepth::full;
    ctx.tiles = ctx.full && settings.tiles;
    ctx.complex = kind(reference.dtype) == DTypeKind::complex || kind(candidate.dtype) == DTypeKind::complex;
    ctx.lanes = lanesFor(ctx);
    ctx.ulpType = ctx.full ? ulpDType(reference.dtype, candidate.dtype) : std::nullopt;
    if (ctx.ulpType)
        ctx.ulpFormat =
            ulpFormat(*ctx.ulpType, reference.dtype != *ctx.ulpType || candidate.dtype != *ctx.ulpType);
    ctx.comparableBytes =
        reference.dtype == candidate.dtype && reference.contiguous() && candidate.contiguous();
    ctx.normalReference = smallestNormal(reference.dtype);
    ctx.normalCandidate = smallestNormal(candidate.dtype);
    ctx.significantFrom = t.atol / t.rtol; // 0/0: nan, which no magnitude reaches
    if (t.atol == 0) ctx.significantFrom = 0;
    return ctx;
}

PairValues realPair(double c, double r, std::int64_t index) {
    const double e = std::fabs(c - r), m = std::fabs(r);
    if (c == r) return {PairState::equal, c, r, 0, m, index};
    if (std::isfinite(e)) return {PairState::finite, c, r, e, m, index};
    const bool nan = std::isnan(c) && std::isnan(r);
    return {nan ? PairState::bothNan : PairState::never, c, r, e, m, index};
}

void addAtTolerance(const ScanContext& ctx, const PairValues& p, AtTolerance& at) {
    bool fails = false;
    switch (p.state) {
    case PairState::equal:
        break;
    case PairState::bothNan:
        fails = !ctx.tolerance.equalNan;
        break;
    case PairState::never:
        fails = true;
        break;
    case PairState::masked:
        return;
    case PairState::finite:
        fails = !passesFinite(ctx.tolerance, p.error, p.magnitude);
        if (fails) {
            const double limit = bound(ctx.tolerance, p.magnitude);
            raise(at.worst, {p.index, p.reference, p.candidate, p.error, 0, limit});
        }
        break;
    }
    if (finitePair(p.state, p.magnitude) && p.magnitude > 0 && p.magnitude >= ctx.significantFrom) {
        const double rel = p.error / p.magnitude;
        if (!at.significantMaxRel || rel > *at.significantMaxRel) at.significantMaxRel = rel;
    }
    if (!fails) return;
    if (at.firstMismatch < 0) at.firstMismatch = p.index;
    ++at.mismatches;
}

void mergeAtTolerance(const AtTolerance& later, AtTolerance& at) {
    at.mismatches += later.mismatches;
    if (at.firstMismatch < 0) at.firstMismatch = later.firstMismatch;
    if (later.significantMaxRel &&
        (!at.significantMaxRel || *later.significantMaxRel > *at.significantMaxRel))
        at.significantMaxRel = later.significantMaxRel;
    if (later.worst.index >= 0) raise(at.worst, later.worst);
}

void Chunk::addExtremes(const ScanContext& ctx, const PairValues& p) {
    const bool overflowed =
        p.state == PairState::never && std::isfinite(p.candidate) && std::isfinite(p.reference);
    if (finitePair(p.state, p.magnitude) || overflowed) {
        raise(part.maxAbs, p.error, p.index);
        if (p.magnitude > 0) raise(part.maxRel, p.error / p.magnitude, p.index);
    }
    if (p.state == PairState::finite) frontier.add(p.magnitude, p.error);
    addAtTolerance(ctx, p, part.at);
}

void Chunk::raiseUlp(double distance, double c, double r) {
    if (part.maxUlp && !(distance > *part.maxUlp)) return;
    part.maxUlp = distance;
    part.ulpSignFlips = distance > 0 && std::signbit(c) != std::signbit(r) && c != 0 && r != 0;
}

void Chunk::merge(Chunk& later, const TileGrid& grid) {
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
    add(a.nan, b.nan);
    add(a.inf, b.inf);
    add(a.zero, b.zero);
    add(a.subnormal, b.subnormal);
    a.signedZero += b.signedZero;
    a.never += b.never;
    a.overflowedError += b.overflowedError;
    a.maxMagnitude = std::max(a.maxMagnitude, b.maxMagnitude);
    a.minMagnitude = std::min(a.minMagnitude, b.minMagnitude);
    a.finiteReference += b.finiteReference;
    for (std::size_t i = 0; i < a.ulpHistogram.size(); ++i) a.ulpHistogram[i] += b.ulpHistogram[i];
    mergeAtTolerance(b.at, a.at);
    if (!later.sums.empty()) sums.push(later.sums.total());
    if (!later.wideSums.empty()) wideSums.push(later.wideSums.total());
    frontier.merge(later.frontier.points(), later.frontier.capped());
    if (grid.rows > 0 && !later.tiles.empty()) later.tiles.addTo(grid, tiles);
    sameBytes = sameBytes && later.sameBytes;
}

} // namespace divdet
