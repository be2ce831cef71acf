#include "judge/declared.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/nearest_name.h"
#include "base/split.h"

namespace divdet {
namespace {

constexpr auto kSteps = std::to_array<LossyStepInfo>({
#define DIVDET_LOSSY_STEP(name, id, operandBits, outputBits, text)                                           \
    {LossyStep::name, id, operandBits, outputBits, text},
#include "judge/lossy_steps.def"
#undef DIVDET_LOSSY_STEP
});

constexpr auto kProfiles = std::to_array<BackendProfile>({
#define DIVDET_PROFILE(id, steps, text) {id, steps, text},
#include "judge/profiles.def"
#undef DIVDET_PROFILE
});

const LossyStepInfo& infoOf(LossyStep step) {
    return kSteps[static_cast<std::size_t>(step)];
}

std::optional<LossyStep> findStep(std::string_view id) {
    for (const auto& s : kSteps)
        if (s.id == id) return s.step;
    return {};
}

Error unknown(const std::string& word) {
    std::vector<std::string> ids;
    for (const auto& s : kSteps) ids.emplace_back(s.id);
    for (const auto& p : kProfiles) ids.emplace_back(p.id);
    const std::string near = nearestName(word, ids);
    return {ErrorCode::usage, fmt::format("'{}' is no lossy step and no backend profile", word), "--declare",
            near.empty() ? fmt::format("there are {}", fmt::join(ids, ", "))
                         : fmt::format("did you mean {}?", near)};
}

/// Half an ulp of 1 with this many significand bits, the leading one counted.
double roundoff(int bits) {
    return bits ? std::ldexp(1.0, -bits) : 0;
}

bool isConvolution(std::string_view op) {
    return op.starts_with("conv") || op.starts_with("Conv");
}

} // namespace

std::span<const LossyStepInfo> lossySteps() {
    return kSteps;
}

std::string_view id(LossyStep step) {
    return infoOf(step).id;
}

std::span<const BackendProfile> backendProfiles() {
    return kProfiles;
}

Result<Declared> Declared::parse(std::string_view text) {
    std::vector<LossyStep> steps;
    for (const std::string& word : split(text, ',')) {
        const auto profile =
            std::find_if(kProfiles.begin(), kProfiles.end(), [&](const auto& p) { return p.id == word; });
        if (profile != kProfiles.end()) {
            for (const auto& part : split(profile->steps, ',')) {
                const auto step = findStep(part);
                if (!step) return unknown(part); // a slip in profiles.def, which a test finds
                steps.push_back(*step);
            }
        } else if (const auto step = findStep(word)) {
            steps.push_back(*step);
        } else {
            return unknown(word);
        }
    }
    return of(steps);
}

Declared Declared::of(std::span<const LossyStep> steps) {
    Declared out;
    out.m_steps.assign(steps.begin(), steps.end());
    std::sort(out.m_steps.begin(), out.m_steps.end());
    out.m_steps.erase(std::unique(out.m_steps.begin(), out.m_steps.end()), out.m_steps.end());
    return out;
}

bool Declared::has(LossyStep step) const {
    return step == LossyStep::reassociate || std::binary_search(m_steps.begin(), m_steps.end(), step);
}

double Declared::operandRoundoff(std::string_view op) const {
    double out = 0;
    for (const LossyStep s : m_steps)
        if (s != LossyStep::tf32Convolutions || isConvolution(op))
            out = std::max(out, roundoff(infoOf(s).operandBits));
    return out;
}

double Declared::outputRoundoff() const {
    double out = 0;
    for (const LossyStep s : m_steps) out = std::max(out, roundoff(infoOf(s).outputBits));
    return out;
}

bool Declared::int8() const {
    return has(LossyStep::int8) || has(LossyStep::int8PerTensor) || has(LossyStep::int8PerChannelWeights) ||
           int4();
}

bool Declared::int4() const {
    return has(LossyStep::int4Weights);
}

bool Declared::fp8() const {
    return has(LossyStep::fp8) || has(LossyStep::fp8E4m3);
}

bool Declared::bf16Partials(DType result) const {
    return has(LossyStep::splitKBf16) || has(LossyStep::allreduceBf16) ||
           (has(LossyStep::reducedPrecisionReduction) && result == DType::bf16);
}

bool Declared::fp16Partials(DType result) const {
    return has(LossyStep::fp16Accumulation) ||
           (has(LossyStep::reducedPrecisionReduction) && result == DType::f16);
}

std::string Declared::text() const {
    std::vector<std::string_view> ids;
    for (const LossyStep s : m_steps) ids.push_back(id(s));
    return fmt::format("{}", fmt::join(ids, ","));
}

} // namespace divdet
