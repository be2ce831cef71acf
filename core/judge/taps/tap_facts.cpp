#include "judge/taps/tap_facts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "judge/taps/channel_sums.h"
#include "judge/taps/diagonals.h"
#include "judge/taps/elements.h"
#include "judge/taps/levels.h"
#include "judge/taps/odd_channel.h"
#include "judge/taps/sentinel.h"
#include "tensor/convert.h"

namespace divdet {
namespace {

constexpr std::int64_t kFewestElements = 8;
constexpr double kWorthExplaining = 3; ///< times the median channel: below, no rule asks
constexpr std::size_t kSample = 64;

/// Smallest element of each side, 0 at most.
struct Lows {
    double reference = 0, candidate = 0;
};

double lowest(std::span<const double> x) {
    std::array<double, 8> low{}; // chains that do not wait for each other
    std::size_t i = 0;
    for (; i + low.size() <= x.size(); i += low.size())
        for (std::size_t l = 0; l < low.size(); ++l) low[l] = x[i + l] < low[l] ? x[i + l] : low[l];
    for (; i < x.size(); ++i) low[0] = x[i] < low[0] ? x[i] : low[0];
    return *std::min_element(low.begin(), low.end());
}

ChannelSums sumsOf(const TapElements& elements, double unit, const Progress& progress, Lows* low) {
    ChannelSums out(elements.shape(), unit);
    std::array<double, TapElements::kBlock> r, c;
    const std::int64_t total = elements.data().reference.elements();
    for (std::int64_t first = 0; first < total && !progress.cancelled(); first += TapElements::kBlock) {
        const auto n = static_cast<std::size_t>(std::min(TapElements::kBlock, total - first));
        elements.load(first, {r.data(), n}, {c.data(), n});
        out.add({r.data(), n}, {c.data(), n});
        if (!low) continue;
        low->reference = std::min(low->reference, lowest({r.data(), n}));
        low->candidate = std::min(low->candidate, lowest({c.data(), n}));
    }
    return out;
}

/// A fused runtime may store what goes into a ReLU under the name of what comes out. Told by a reference that
/// is nowhere negative, with the exact zeros a ReLU leaves, which the clamped candidate fits at least twice
/// as well (in rms).
bool mayBeRelu(const Summary& s) {
    constexpr double kZeros = 0.01;
    return static_cast<double>(s.zero.reference) > kZeros * static_cast<double>(s.elements);
}
bool fitsClamped(const ChannelSums& asIs, const ChannelSums& clamped) {
    return clamped.error() < 0.25 * asIs.error();
}

TapSample sampleOf(const PairData& data) {
    TapSample out;
    const std::int64_t total = data.reference.elements();
    const auto n = std::min<std::int64_t>(total, kSample);
    for (std::int64_t i = 0; i < n; ++i) {
        // Steps of the golden ratio spread over any shape without keeping to a few of its rows or columns.
        const double turn = std::fmod(static_cast<double>(i) * 0.6180339887498949, 1.0);
        const auto at = static_cast<std::int64_t>(turn * static_cast<double>(total));
        out.reference.push_back(elementAt(data.reference.view(), std::min(at, total - 1)));
        out.candidate.push_back(elementAt(data.candidate.view(), std::min(at, total - 1)));
    }
    return out;
}

/// The tap's elements and their sums, clamped where the candidate was taken before the clamp.
struct Looked {
    TapElements elements;
    ChannelSums sums;
    bool beforeClamp = false;
};

Looked look(const PairData& data, const Summary& s, const TapFacts& facts, const Progress& progress) {
    const bool allFinite = s.finite == s.elements;
    const TapElements elements(data, allFinite, facts.sentinel, false);
    Lows low;
    ChannelSums sums = sumsOf(elements, facts.unit, progress, mayBeRelu(s) ? &low : nullptr);
    if (low.candidate < 0 && low.reference >= 0) {
        const TapElements clamped(data, allFinite, facts.sentinel, true);
        ChannelSums other = sumsOf(clamped, facts.unit, progress, nullptr);
        if (fitsClamped(sums, other)) return {clamped, std::move(other), true};
    }
    return {elements, std::move(sums)};
}

} // namespace

TapFacts gatherFacts(const TapPair& pair, const PairData& data, const Progress& progress) {
    const Summary& s = *pair.summary;
    const DType r = data.reference.dtype(), c = data.candidate.dtype();
    TapFacts out;
    out.elements = s.elements;
    out.shape = data.reference.shape();
    out.same = s.bitIdentical;
    out.sameDType = r == c;
    if (kind(r) != DTypeKind::floating || kind(c) != DTypeKind::floating || s.elements == 0) return out;
    out.dtype = coarser(r, c);
    out.unit = std::ldexp(1.0, -fractionBits(out.dtype) - 1);
    out.sentinel = sentinelFrom(s);
    const Looked tap = look(data, s, out, progress);
    const double rms = std::sqrt(tap.sums.signal() / static_cast<double>(s.elements));
    if (!(rms > 0)) return out;
    out.small = s.elements < kFewestElements;
    out.judged = !out.small;
    out.beforeClamp = tap.beforeClamp;
    out.zeroShare = static_cast<double>(s.zero.reference) / static_cast<double>(s.elements);
    out.error = std::sqrt(tap.sums.error() / tap.sums.signal());
    out.peak = tap.sums.largest() / rms;
    out.rowUlps = tap.sums.rowUlps();
    out.meanShare = tap.sums.meanShare();
    out.sample = sampleOf(data);
    if (out.error == 0) return out;
    out.channel = findOddChannel(tap.sums);
    if (out.channel && out.channel->excess > kWorthExplaining)
        explainChannel(*out.channel, tap.elements, progress);
    if (s.infiniteRel > 0) out.diagonals = findDiagonals(tap.elements, rms, progress);
    out.levels = findLevels(tap.elements, progress);
    return out;
}

} // namespace divdet
