#include "judge/taps/noise_floor.h"

#include <algorithm>
#include <cmath>

namespace divdet {
namespace {

/// A few roundings to a type, both sides, of operands, results and inner steps.
constexpr double kRoundings = 4;
constexpr double kBf16 = 0x1p-8, kFp16 = 0x1p-11, kFp32 = 0x1p-24;

/// Relative rms error of a sum of k terms kept in a type of unit roundoff u. Partial sums of zero-mean terms
/// grow as √i, so Σ (u·√i)²/3 over the sum's own square, k, is u²·k/6; same-sign terms give u²·k/9.
double summed(double u, std::int64_t k) {
    return u * std::sqrt(static_cast<double>(k) / 6);
}

/// A quantised tensor has the step max|r|/levels, uniform errors of step/√12, and two operands of that kind.
/// Weights are seen only through their product: a normal sample has a peak of about 4.
double quantised(double peak, double levels) {
    return std::sqrt(2.0) * std::max(peak, 4.0) / (levels * std::sqrt(12.0));
}

double roundingOfSide(const Declared& d, const TapFacts& f, std::int64_t k) {
    double out = kRoundings * std::max(d.operandRoundoff(), d.outputRoundoff());
    const auto atLeast = [&](double x) { out = std::max(out, x); };
    // Some tens of partial sums at most, each rounded once when it is added.
    if (d.bf16Partials(f.dtype)) atLeast(kRoundings * kBf16);
    if (d.fp16Partials(f.dtype)) atLeast(kRoundings * kFp16);
    if (d.has(LossyStep::fp16Accumulation)) atLeast(summed(kFp16, k));
    // The tanh form leaves gelu by up to 5e-4; approximate functions are good to some 20 bits.
    if (d.has(LossyStep::geluTanh)) atLeast(5e-4);
    if (d.has(LossyStep::fastMath)) atLeast(0x1p-20);
    return out;
}

double quantisedOfSide(const Declared& d, const TapFacts& f) {
    return std::max(d.int8() ? quantised(f.peak, 127) : 0, d.int4() ? quantised(f.peak, 7) : 0);
}

/// Products of narrower types are summed in fp32, whose rounding is below theirs.
double ownSum(const TapFacts& f, std::int64_t k) {
    return f.unit <= kFp32 ? summed(f.unit, k) : 0;
}

} // namespace

double roundingFloor(const TapFacts& facts, const TapContext& context) {
    return std::max({kRoundings * facts.unit + ownSum(facts, context.k),
                     roundingOfSide(context.candidate, facts, context.k),
                     roundingOfSide(context.reference, facts, context.k)});
}

double noiseFloor(const TapFacts& facts, const TapContext& context) {
    return std::max({roundingFloor(facts, context), quantisedOfSide(context.candidate, facts),
                     quantisedOfSide(context.reference, facts)});
}

double freshUlps(const TapFacts& facts, const TapContext& context) {
    // A rounding error is uniform within half an ulp: variance 1/12 on each side, 1/6 together.
    constexpr double kInnerSteps = 24;
    const double sum = facts.unit <= kFp32 ? std::sqrt(static_cast<double>(context.k) / 6) : 0;
    return std::sqrt(kInnerSteps / 6) + sum;
}

} // namespace divdet
