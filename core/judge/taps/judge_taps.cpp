#include "judge/taps/judge_taps.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/taps/rules.h"

namespace divdet {
namespace {

using Findings = std::vector<TapFinding>;

/// In the order of the table.
Findings applyRules(const Chain& chain) {
    Findings out;
#define DIVDET_TAP_RULE(function) tap_rules::function(chain, out);
#include "judge/taps/rules.def"
#undef DIVDET_TAP_RULE
    return out;
}

/// The first place that has a finding of the class.
std::optional<std::size_t> firstOf(const Findings& findings, FindingClass kind) {
    std::optional<std::size_t> out;
    for (const auto& f : findings)
        if (f.finding.kind == kind && (!out || f.tap < *out)) out = f.tap;
    return out;
}

bool roleCleanBefore(const Chain& chain, std::size_t t) {
    const TapName& name = chain.taps[t].name;
    if (!name.layer) return false;
    return std::any_of(chain.taps.begin(), chain.taps.begin() + static_cast<std::ptrdiff_t>(t),
                       [&](const ChainTap& x) {
                           return x.facts->judged && x.name.role == name.role && x.name.layer != name.layer;
                       });
}

/// Single lossy steps of a backend that would each make the run honest.
std::vector<std::string> explanations(std::span<const NamedFacts> facts, const TapContext& context) {
    std::vector<std::string> out;
    constexpr auto kSteps =
        std::to_array({LossyStep::tf32, LossyStep::fp16, LossyStep::bf16, LossyStep::int8});
    for (const LossyStep step : kSteps) {
        TapContext with = context;
        with.candidate = Declared::of(std::array{step});
        if (!firstOf(applyRules(makeChain(facts, with)), FindingClass::bug)) out.emplace_back(id(step));
    }
    return out;
}

/// Bugs become unclear where an undeclared step of the candidate would explain them all.
void excuse(Findings& findings, const Chain& chain, std::span<const NamedFacts> facts) {
    const auto first = firstOf(findings, FindingClass::bug);
    if (!first || !chain.context.candidate.empty() || roleCleanBefore(chain, *first)) return;
    const auto steps = explanations(facts, chain.context);
    if (steps.empty()) return;
    for (auto& f : findings) {
        if (f.finding.kind != FindingClass::bug) continue;
        f.finding.kind = FindingClass::unclear;
        f.finding.text +=
            fmt::format(" It is drift if {} was on: say so with --declare.", fmt::join(steps, " or "));
    }
}

std::optional<PairClass> classOf(const ChainTap& tap, const std::vector<Finding>& findings, bool afterFirst) {
    const TapFacts& f = *tap.facts;
    if (f.same) return PairClass::identical;
    const auto has = [&](FindingClass k) {
        return std::any_of(findings.begin(), findings.end(), [&](const Finding& x) { return x.kind == k; });
    };
    if (has(FindingClass::bug)) return PairClass::bug;
    if (has(FindingClass::unclear)) return PairClass::unclear;
    if (!f.judged && !f.small) return {};
    if (afterFirst && f.error > tap.floor) return PairClass::inherited;
    // Too few elements for a rule; an error no larger than is expected is still nothing to ask about.
    if (f.small && f.error > tap_rules::kJump * tap.expected()) return {};
    return PairClass::drift;
}

/// What is only odd after a bug follows from it, and so do statistics of an error that is its consequence.
void dropConsequences(std::size_t bug, const Chain& chain, TapsJudgement& out) {
    for (std::size_t t = bug + 1; t < chain.taps.size(); ++t)
        std::erase_if(out.findings[chain.taps[t].pair], [](const Finding& f) {
            return f.kind == FindingClass::unclear || f.id == "channel-gain" || f.id == "layer-outlier";
        });
}

} // namespace

std::vector<double> expectedErrors(std::span<const NamedFacts> facts, const TapContext& context) {
    std::vector<double> out(facts.size());
    for (const ChainTap& tap : makeChain(facts, context).taps) out[tap.pair] = tap.expected();
    return out;
}

TapsJudgement judgeTaps(std::span<const NamedFacts> facts, const TapContext& context,
                        std::span<const std::optional<PairClass>> known) {
    const Chain chain = makeChain(facts, context);
    Findings findings = applyRules(chain);
    excuse(findings, chain, facts);
    TapsJudgement out;
    out.findings.resize(facts.size());
    out.classes.resize(facts.size());
    const auto knownToInherit = [&](std::size_t pair) {
        return pair < known.size() && known[pair] == PairClass::inherited;
    };
    for (auto& f : findings)
        if (const std::size_t pair = chain.taps[f.tap].pair; !knownToInherit(pair))
            out.findings[pair].push_back(std::move(f.finding));
    const auto worst = [&](std::size_t t) {
        const std::size_t pair = chain.taps[t].pair;
        auto c = classOf(chain.taps[t], out.findings[pair], false).value_or(PairClass::identical);
        if (pair < known.size() && known[pair] == PairClass::bug) c = PairClass::bug;
        return c;
    };
    std::optional<std::size_t> first; // place in the chain
    for (const PairClass c : {PairClass::bug, PairClass::unclear})
        for (std::size_t t = 0; t < chain.taps.size() && !first; ++t)
            if (worst(t) == c) first = t;
    if (first && worst(*first) == PairClass::bug) dropConsequences(*first, chain, out);
    for (std::size_t t = 0; t < chain.taps.size(); ++t) {
        const std::size_t pair = chain.taps[t].pair;
        out.classes[pair] = classOf(chain.taps[t], out.findings[pair], first && t > *first);
    }
    if (first) out.first = chain.taps[*first].pair;
    return out;
}

} // namespace divdet
