#include "judge/noise.h"

#include <algorithm>
#include <cmath>

#include "compare/ulp.h"
#include "judge/median.h"

namespace divdet {
namespace {

/// Roundings between two taps that store in the working type: residuals, norms, activations.
constexpr double kInnerRoundings = 24;
/// Length of sums where nobody tells it.
constexpr double kUnknownK = 4096;
/// A sum of n roundings of u each walks about √(n/6) ulps, an ulp being 2u.
double walk(double u, double roundings) {
    return 2 * u * std::sqrt(roundings / 6);
}

/// Largest over rms of the data that is quantised: of the inputs where they are there, else of the reference.
double peak(const PairEvidence& pair) {
    const Summary& s = pair.summary;
    double out = s.rmsReference > 0 ? s.maxMagnitude / s.rmsReference : 0;
    for (const auto& [name, t] : pair.context.inputs) {
        if (kind(t.dtype()) != DTypeKind::floating) continue;
        PairEvidence input{t.view(), t.view(), std::nullopt, s, pair.progress};
        const SliceSums& all = input.sample().all;
        if (all.rmsReference() > 0) out = std::max(out, all.maxReference / all.rmsReference());
    }
    return std::clamp(out, 4.0, 40.0);
}

double declaredLevel(const PairEvidence& pair) {
    const Declared& d = pair.context.declared;
    const DType type = coarser(pair.reference.dtype, pair.candidate.dtype);
    const double stored = d.outputRoundoff();
    // What is stored in 8 bits is rounded to them once, at the end.
    double out = 2 * d.operandRoundoff(pair.context.op.op) +
                 (stored > 0x1p-8 ? stored : walk(stored, kInnerRoundings));
    if (d.bf16Partials(type)) out += walk(0x1p-8, 8);
    if (d.fp16Partials(type)) out += walk(0x1p-11, static_cast<double>(pair.context.op.k.value_or(256)));
    if (d.int8()) out += std::sqrt(2.0) * peak(pair) / ((d.int4() ? 7 : 127) * std::sqrt(12.0));
    if (d.has(LossyStep::fastMath)) out += 64 * 0x1p-24;
    // The largest distance of the tanh form is 4.8e-4 (at 2.7), that of an ulp-wise error of exp far less.
    if (d.has(LossyStep::geluTanh)) out += 5e-4;
    return out;
}

} // namespace

NoiseModel noiseModel(const PairEvidence& pair) {
    NoiseModel out;
    if (!realFloating(pair)) return out;
    const double u = unitRoundoff(pair);
    out.unit = std::max(u, pair.context.declared.outputRoundoff());
    // 16-bit results are sums kept in fp32: their length does not show.
    const bool wide = u <= 0x1p-24;
    const double k = static_cast<double>(pair.context.op.k.value_or(static_cast<std::int64_t>(kUnknownK)));
    out.working = walk(u, kInnerRoundings) + (wide ? walk(u, k) : 0);
    out.honest = out.working + declaredLevel(pair);
    out.bad = std::clamp(16 * out.honest, 0.004, 0.5);
    return out;
}

bool quiet(const PairEvidence& pair) {
    constexpr double kFewUlps = 4;
    const Summary& s = pair.summary;
    if (s.never > 0) return false;
    if (s.equal + s.nan.both == s.elements) return true;
    if (realFloating(pair)) return s.maxUlp && *s.maxUlp <= kFewUlps;
    const bool codes = itemSize(pair.reference.dtype) == 1 && itemSize(pair.candidate.dtype) == 1;
    return codes && s.maxAbs.value <= 1;
}

double typicalSize(const PairSample& sample) {
    const std::vector<SliceSums>* longest = nullptr;
    for (const auto& axis : sample.axes)
        if (!longest || axis.size() > longest->size()) longest = &axis;
    if (!longest) return sample.all.rmsReference();
    std::vector<double> sizes;
    for (const auto& s : *longest)
        if (s.n > 0) sizes.push_back(s.rmsReference());
    return medianOf(std::move(sizes));
}

} // namespace divdet
