#include "session/tap_pairs.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compare/rules/evaluate.h"
#include "compare/scan.h"
#include "judge/find_causes.h"
#include "session/shape_options.h"

namespace divdet {
namespace {

bool lowPrecision(DType t) {
    return kind(t) == DTypeKind::floating && fractionBits(t) <= 10;
}

/// `fine` becomes `coarse` when some neighbouring axes are joined to one, as [B, T, D] to [B·T, D].
bool mergesAxes(const Shape& fine, const Shape& coarse) {
    if (fine.size() <= coarse.size() || coarse.empty()) return false;
    std::size_t at = 0;
    for (const auto extent : coarse) {
        if (at == fine.size()) return false;
        std::int64_t product = fine[at++];
        while (product < extent && at < fine.size())
            if (__builtin_mul_overflow(product, fine[at++], &product)) return false;
        if (product != extent) return false;
    }
    return at == fine.size();
}

/// What an unequal pair of shapes probably is, and the way out.
std::pair<std::string, std::string> explainShapes(const Shape& r, const Shape& c) {
    const std::string both = fmt::format("{} against {}", toString(r), toString(c));
    if (withoutOnes(r) == withoutOnes(c))
        return {both + ", apart from size-1 dims", "--squeeze compares without them"};
    if (r.size() == 2 && c.size() == 2 && r[0] == c[1] && r[1] == c[0])
        return {both + ", a transpose", "--transpose NAME compares the candidate's transpose"};
    if (mergesAxes(r, c) || mergesAxes(c, r))
        return {both + ", with neighbouring axes joined", "--reshape compares them element by element"};
    Shape sortedR = r, sortedC = c;
    std::sort(sortedR.begin(), sortedR.end());
    std::sort(sortedC.begin(), sortedC.end());
    if (sortedR == sortedC) return {both + ", with the axes in another order", "store both in one layout"};
    return {both, "nothing is broadcast; compare tensors of one shape"};
}

bool contains(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

Status checkNames(const run::Taps& reference, const JudgeSelection& judge) {
    if (judge.kind != JudgeSelection::Kind::named) return Done{};
    std::vector<std::string> names;
    for (const auto& t : reference.taps) names.push_back(t.name);
    for (const auto& n : judge.names)
        if (!contains(names, n))
            return Error{ErrorCode::usage, fmt::format("no tap is named '{}'", n), "--judge",
                         fmt::format("taps are {}", fmt::join(names, ", "))};
    return Done{};
}

/// Each further run against the reference, as far as verdicts need it. What cannot be compared is left out:
/// the run itself is in the context, and its findings stand on their own.
std::vector<std::shared_ptr<const Summary>> scanRuns(const RuleInput& input, const JudgeContext& context,
                                                     ScanSettings settings, const Progress& progress) {
    std::vector<std::shared_ptr<const Summary>> out;
    settings.depth = ScanDepth::verdict;
    settings.tiles = false;
    for (const Tensor& run : context.runs)
        if (auto s = scan(input.reference, run.view(), settings, progress))
            out.push_back(std::make_shared<const Summary>(std::move(*s)));
    return out;
}

} // namespace

std::vector<std::string> staticCautions(DType reference, DType candidate) {
    std::vector<std::string> out;
    if (reference != candidate) out.emplace_back("dtype-differs");
    if (lowPrecision(reference)) out.emplace_back("low-precision-reference");
    return out;
}

void comparePair(TapPair& pair, const PairData& data, const Tolerance& tolerance, bool tiles,
                 const Progress& progress, const JudgeContext* context) {
    const Tensor &reference = data.reference, &candidate = data.candidate;
    pair.referenceDType = reference.dtype();
    pair.candidateDType = candidate.dtype();
    pair.referenceShape = reference.shape();
    pair.candidateShape = candidate.shape();
    if (reference.shape() != candidate.shape()) {
        auto [what, hint] = explainShapes(reference.shape(), candidate.shape());
        pair.structural = Verdict::incomparable;
        pair.problem = Error{ErrorCode::mismatch, what, pair.name, hint};
        return;
    }
    const auto refuse = [&](const Error& e) {
        pair.structural = e.code == ErrorCode::mismatch ? Verdict::incomparable : Verdict::unreadable;
        pair.problem = e;
        if (pair.problem->path.empty()) pair.problem->path = pair.name;
    };
    const Tolerance t = pair.own.value_or(tolerance);
    RuleInput input{reference.view(), candidate.view(), {}, {}};
    if (data.mask) input.mask = data.mask->view();
    if (data.fp64) input.fp64 = data.fp64->view();
    ScanSettings settings;
    settings.tolerance = t;
    settings.tolerance.rule = frontierRule(t.rule);
    settings.tiles = tiles;
    settings.mask = input.mask;
    auto summary = scan(input.reference, input.candidate, settings, progress);
    if (!summary) return refuse(summary.error());
    bool passes = summary->at.mismatches == 0;
    if (!hasFrontier(t.rule) && checkRuleTakes(t.rule, reference.dtype(), candidate.dtype())) {
        auto ruled = evaluateRule(input, t, progress);
        if (!ruled) return refuse(ruled.error());
        passes = ruled->passes;
        pair.ruled = std::make_shared<const RuleOutcome>(std::move(*ruled));
    }
    if (hasFrontier(t.rule) || pair.ruled)
        if (auto peers = disagreeingRules(input, *summary, t, passes, progress))
            pair.peers = std::make_shared<const RulePeers>(std::move(*peers));
    pair.summary = std::make_shared<const Summary>(std::move(*summary));
    if (context) {
        pair.runs = scanRuns(input, *context, settings, progress);
        addCauses(pair, judgePair({input.reference, input.candidate, input.mask, *pair.summary, progress,
                                   *context}));
    }
    for (auto& c : staticCautions(reference.dtype(), candidate.dtype()))
        if (!contains(pair.cautions, c)) pair.cautions.push_back(std::move(c));
    if (data.mask && !contains(pair.cautions, "subset-compared"))
        pair.cautions.emplace_back("subset-compared");
}

Result<std::shared_ptr<const Comparison>> compareTaps(const run::Taps& reference, const run::Taps& candidate,
                                                      const std::vector<std::string>& outputs,
                                                      const JudgeSelection& judge, const Tolerance& tolerance,
                                                      bool judgedOnly, const Progress& progress,
                                                      const std::map<std::string, Tolerance>& own) {
    if (auto s = checkNames(reference, judge); !s) return s.error();
    auto out = std::make_shared<Comparison>();
    out->referenceName = "reference";
    out->candidateName = "candidate";
    for (const auto& tap : reference.taps) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "the comparison was cancelled"};
        const bool judged = isJudged(judge, tap.name, contains(outputs, tap.name));
        if (judgedOnly && !judged) continue;
        const run::Tap* other = candidate.find(tap.name);
        if (!other) {
            out->onlyInReference.push_back(tap.name);
            out->missingJudged = out->missingJudged || judged;
            continue;
        }
        TapPair pair;
        pair.name = pair.candidateName = tap.name;
        pair.op = tap.kind;
        pair.judged = judged;
        if (const auto at = own.find(tap.name); at != own.end()) pair.own = at->second;
        comparePair(pair, PairData{tap.tensor, other->tensor, {}, {}}, tolerance, !judgedOnly, progress);
        pair.load = [r = tap.tensor, c = other->tensor]() -> Result<PairData> {
            return PairData{r, c, {}, {}};
        };
        out->pairs.push_back(std::move(pair));
    }
    return std::shared_ptr<const Comparison>(std::move(out));
}

std::shared_ptr<Comparison> withoutElements(const Comparison& comparison) {
    auto out = std::make_shared<Comparison>(comparison);
    for (TapPair& pair : out->pairs) pair.load = nullptr;
    return out;
}

} // namespace divdet
