#include <algorithm>

#include "judge/taps/judge_taps.h"
#include "judge/taps/repeats.h"

namespace divdet {
namespace {

/// A pair's own answer and that of all taps together. `unclear` of a pair alone means that no finding
/// explains it, which all taps together may do; a finding that says `unclear` stands.
PairClass both(const TapPair& pair, const std::optional<PairClass>& together) {
    const PairClass own = pair.pairClass.value_or(PairClass::identical);
    if (own == PairClass::inherited || !together) return own;
    if (own == PairClass::bug || own == PairClass::identical) return std::max(own, *together);
    const bool stands = std::any_of(pair.findings.begin(), pair.findings.end(),
                                    [](const Finding& f) { return f.kind == FindingClass::unclear; });
    return stands ? std::max(own, *together) : *together;
}

/// A factor or an offset no larger than the error that came along may be inherited as such: a norm whose
/// spread is off by a little scales everything by a little. One that is a known slip (2, 127/128, √d) is
/// still worth a look. Slices that seem to have changed places in what an operator had to lose are noise too.
void weigh(TapPair& pair, double expected) {
    if (pair.pairClass != PairClass::bug || !pair.summary || !(pair.summary->rmsReference > 0)) return;
    // Of few elements, or of one factor for all, the error is a single draw that may lie above the usual.
    constexpr double kSingleDraw = 2;
    const double error = pair.summary->rms / pair.summary->rmsReference;
    if (error > kSingleDraw * expected) return;
    bool bug = false;
    for (auto& f : pair.findings) {
        const bool scales = f.id == "gain" || f.id == "offset" || f.id == "channel-gain" ||
                            f.id == "block-gain" || f.id == "permuted";
        if (f.kind == FindingClass::bug && scales) {
            const bool slip = std::any_of(f.evidence.begin(), f.evidence.end(),
                                          [](const auto& e) { return e.first == "ratio"; });
            f.kind = slip || error > expected ? FindingClass::unclear : FindingClass::note;
            f.text += " Earlier taps had about as much error: it may be inherited.";
        }
        bug = bug || f.kind == FindingClass::bug;
    }
    if (!bug) pair.pairClass = PairClass::unclear;
}

} // namespace

void judgeTogether(Comparison& comparison, const TapContext& context, const Progress& progress) {
    std::vector<std::size_t> at; // pairs that can be looked at
    for (std::size_t i = 0; i < comparison.pairs.size(); ++i)
        if (comparison.pairs[i].summary && comparison.pairs[i].load) at.push_back(i);
    if (at.size() < 2) return;
    std::vector<std::string> names;
    for (const std::size_t i : at) names.push_back(comparison.pairs[i].name);
    if (areRepeats(names)) return;
    std::vector<NamedFacts> facts;
    std::vector<std::optional<PairClass>> known;
    for (std::size_t i = 0; i < at.size(); ++i) {
        const TapPair& pair = comparison.pairs[at[i]];
        progress(i, at.size(), pair.name);
        NamedFacts entry{pair.name, {}};
        // A file that went away between the scan and now leaves the tap unjudged, as its facts are empty.
        if (auto data = pair.load(); data && data->reference.shape() == data->candidate.shape())
            entry.facts = gatherFacts(pair, *data, Progress{nullptr, progress.token});
        if (progress.cancelled()) return;
        facts.push_back(std::move(entry));
    }
    const auto expected = expectedErrors(facts, context);
    for (std::size_t i = 0; i < at.size(); ++i) {
        weigh(comparison.pairs[at[i]], expected[i]);
        known.push_back(comparison.pairs[at[i]].pairClass);
    }
    TapsJudgement judged = judgeTaps(facts, context, known);
    for (std::size_t i = 0; i < at.size(); ++i) {
        TapPair& pair = comparison.pairs[at[i]];
        pair.pairClass = both(pair, judged.classes[i]);
        for (auto& f : judged.findings[i]) // a pair may have found the same by itself
            if (std::none_of(pair.findings.begin(), pair.findings.end(),
                             [&](const Finding& own) { return own.id == f.id; }))
                pair.findings.push_back(std::move(f));
    }
    if (judged.first) comparison.firstBad = at[*judged.first];
}

} // namespace divdet
