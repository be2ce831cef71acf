#include "session/compare_dumps.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>

#include <fmt/format.h>

#include "dump/glob.h"
#include "dump/text_encoding.h"
#include "judge/across_taps.h"
#include "judge/taps/judge_taps.h"
#include "session/graph_of_dump.h"
#include "session/open_sides.h"
#include "session/side_tensors.h"
#include "session/tap_pairs.h"
#include "session/task_metric.h"

namespace divdet {
namespace {

using Clock = std::chrono::steady_clock;
using DumpPtr = std::shared_ptr<const Dump>;

constexpr auto kSnapshotEvery = std::chrono::milliseconds(100);

/// What a pair is loaded from, again and again.
struct Sources {
    DumpPtr reference, candidate;
    SideTensors masks, fp64;
    CompareRequest request;

    Result<PairData> load(const Pair& ids, const std::string& name) const;
};

/// A mask must be one, and of the pair's shape: nothing is broadcast.
Status checkMask(const Tensor& mask, const Tensor& reference, const std::string& name) {
    const DType t = mask.dtype();
    if (t != DType::boolean && t != DType::u8)
        return Error{ErrorCode::mismatch,
                     fmt::format("a mask is bool or u8, this one is {}", divdet::name(t)), name,
                     "store true where elements are to be compared"};
    if (mask.shape() != reference.shape())
        return Error{ErrorCode::mismatch,
                     fmt::format("the mask is {}, the tensors are {}", toString(mask.shape()),
                                 toString(reference.shape())),
                     name, "a mask has the shape of its tap; give one per tap by name"};
    return Done{};
}

Result<PairData> Sources::load(const Pair& ids, const std::string& name) const {
    auto a = reference->load(ids.reference, request.referenceLoad);
    if (!a) return a.error();
    auto b = candidate->load(ids.candidate, request.candidateLoad);
    if (!b) return b.error();
    auto mask = masks.find(name);
    if (!mask) return mask.error();
    auto truth = fp64.find(name);
    if (!truth) return truth.error();
    PairData out{std::move(*a), std::move(*b), std::move(*mask), std::move(*truth)};
    fit(out, request.shapes);
    if (out.mask)
        if (auto s = checkMask(*out.mask, out.reference, name); !s) return s.error();
    return out;
}

/// Ids of the cautions of each tap, each once; a hostile file may have a caution for each of a million taps.
class CautionsByTap {
public:
    explicit CautionsByTap(const Dump& dump) {
        for (const auto& c : dump.manifest().cautions) {
            auto& ids = m_of[c.tap];
            if (std::find(ids.begin(), ids.end(), c.id) == ids.end()) ids.push_back(c.id);
        }
    }
    std::vector<std::string> of(std::string_view tap) const {
        const auto at = m_of.find(tap);
        return at == m_of.end() ? std::vector<std::string>() : at->second;
    }

private:
    std::unordered_map<std::string_view, std::vector<std::string>> m_of; ///< names live in the manifest
};

void append(std::vector<std::string>& to, std::vector<std::string> from) {
    for (auto& x : from)
        if (std::find(to.begin(), to.end(), x) == to.end()) to.push_back(std::move(x));
}

/// Taps of one side that are missing on the other because a writer keeps shared tensors once.
void addTied(const Dump& dump, const std::vector<std::size_t>& missing, const Pairing& pairing,
             std::size_t Pair::*side, std::string_view other, Comparison& out) {
    const auto root = [&](std::size_t tap) { return dump.taps()[tap].sameAs.value_or(tap); };
    for (const std::size_t i : missing) {
        const auto twin = std::find_if(pairing.pairs.begin(), pairing.pairs.end(),
                                       [&](const Pair& p) { return root(p.*side) == root(i); });
        if (twin == pairing.pairs.end()) continue;
        const std::string &name = dump.taps()[i].name, &kept = dump.taps()[(*twin).*side].name;
        out.tied.emplace_back(name, kept);
        out.notes.push_back(
            fmt::format("{} is missing in the {}; where it is present it is the same tensor as {} (tied)",
                        name, other, kept));
        append(out.cautions, {"tied"});
    }
}

/// Every pair with its names and shapes, nothing compared yet.
Comparison skeleton(const Dump& reference, const Dump& candidate, const Pairing& pairing,
                    const CompareRequest& request) {
    Comparison out;
    out.referenceName = request.reference.string();
    out.candidateName = request.candidate.string();
    const CautionsByTap referenceCautions(reference), candidateCautions(candidate);
    for (const Pair& p : pairing.pairs) {
        const TapEntry &r = reference.taps()[p.reference], &c = candidate.taps()[p.candidate];
        TapPair pair;
        pair.name = r.name;
        pair.candidateName = c.name;
        pair.pairedBy = p.by;
        pair.judged = isJudged(request.judge, r.name, true);
        pair.referenceDType = r.dtype;
        pair.candidateDType = c.dtype;
        pair.referenceShape = r.shape;
        pair.candidateShape = c.shape;
        pair.transform = transformOf(r, c, request.shapes);
        if (!pair.transform.empty()) out.notes.push_back(inQuotes(pair.name) + ": " + pair.transform);
        append(pair.cautions, referenceCautions.of(r.name));
        append(pair.cautions, candidateCautions.of(c.name));
        if (!p.note.empty()) out.notes.push_back(p.note);
        out.pairs.push_back(std::move(pair));
    }
    for (auto i : pairing.onlyReference) {
        out.onlyInReference.push_back(reference.taps()[i].name);
        out.missingJudged = out.missingJudged || isJudged(request.judge, reference.taps()[i].name, true);
    }
    for (auto i : pairing.onlyCandidate) {
        out.onlyInCandidate.push_back(candidate.taps()[i].name);
        out.missingJudged = out.missingJudged || isJudged(request.judge, candidate.taps()[i].name, true);
    }
    addTied(reference, pairing.onlyReference, pairing, &Pair::reference, "candidate", out);
    addTied(candidate, pairing.onlyCandidate, pairing, &Pair::candidate, "reference", out);
    if (request.ignoreMissing) out.missingJudged = false;
    out.partial = (reference.isShard() || candidate.isShard()) && !request.ignoreMissing;
    append(out.notes, pairing.notes);
    append(out.notes, splitSuggestions(reference, candidate, pairing));
    append(out.cautions, referenceCautions.of(""));
    append(out.cautions, candidateCautions.of(""));
    if (!request.pairing.only.empty() || !request.pairing.skip.empty())
        append(out.cautions, {"subset-compared"});
    return out;
}

Status checkJudged(const Comparison& c, const JudgeSelection& judge) {
    if (judge.kind != JudgeSelection::Kind::named) return Done{};
    for (const auto& n : judge.names)
        if (std::none_of(c.pairs.begin(), c.pairs.end(), [&](const auto& p) { return p.name == n; }))
            return Error{ErrorCode::usage, fmt::format("no pair is named '{}'", n), "--judge",
                         "divdet inspect lists the taps of a file"};
    return Done{};
}

/// Gives pairs their own tolerances, and says which entries no pair took.
void assignTolerances(Comparison& c, const std::vector<TapTolerance>& list, const Tolerance& common) {
    std::vector<bool> used(list.size(), false);
    for (auto& pair : c.pairs)
        if (const TapTolerance* t = findTapTolerance(list, pair.name)) {
            used[static_cast<std::size_t>(t - list.data())] = true;
            pair.own = t->overrides.over(common);
            pair.own->equalNan = common.equalNan || t->overrides.equalNan;
            pair.own->options = common.options;
        }
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (used[i]) continue;
        const bool matches = std::any_of(c.pairs.begin(), c.pairs.end(),
                                         [&](const auto& p) { return globMatches(list[i].glob, p.name); });
        c.notes.push_back(
            matches ? fmt::format("the tolerance for '{}' is never reached: earlier ones match first",
                                  list[i].glob)
                    : fmt::format("the tolerance for '{}' matches no tap", list[i].glob));
    }
}

Tolerance standardTolerance(const Comparison& c) {
    for (const auto& p : c.pairs) {
        if (!p.judged) continue;
        const auto& preset = defaultPreset(p.referenceDType, p.candidateDType);
        return {preset.rule, preset.rtol, preset.atol, false};
    }
    return {};
}

/// What the user declares is about the candidate: the reference is taken as it stands.
TapContext tapContext(const JudgeOptions& told, const OperatorContext& op) {
    TapContext out;
    if (auto declared = Declared::parse(told.declare))
        out.candidate = std::move(*declared); // was read before
    if (const auto k = told.k ? told.k : op.k) out.k = *k;
    return out;
}

bool damaged(const Comparison& c, const Dump& reference, const Dump& candidate, const Pairing& pairing) {
    for (std::size_t i = 0; i < c.pairs.size(); ++i)
        if (c.pairs[i].summary &&
            (reference.damage(pairing.pairs[i].reference) || candidate.damage(pairing.pairs[i].candidate)))
            return true;
    return false;
}

/// All taps together. What is gone from a file that was cut short meanwhile reads as zeros: then only the
/// pairs' own answers stand.
void judgeUndamaged(Comparison& work, const Dump& reference, const Dump& candidate, const Pairing& pairing,
                    const TapContext& context, const Progress& progress) {
    Comparison judged = work;
    judgeTogether(judged, context, progress);
    if (!damaged(work, reference, candidate, pairing)) work = std::move(judged);
}

} // namespace

Result<std::shared_ptr<const CompareResult>>
compareDumps(Session& session, const CompareRequest& request, const Progress& progress,
             const std::function<void(std::shared_ptr<const CompareResult>)>& partial) {
    const auto start = Clock::now();
    auto sides = openSides(request);
    if (!sides) return sides.error();
    const DumpPtr r = sides->reference, c = sides->candidate;
    auto pairing = pairTaps(*r, *c, sides->pairing);
    if (!pairing) return pairing.error();

    auto masks = SideTensors::open(request.mask);
    if (!masks) return masks.error();
    auto fp64 = SideTensors::open(request.fp64);
    if (!fp64) return fp64.error();
    std::optional<GraphOfDump> graph;
    if (!request.knowledge.graph.empty()) { // before the long work: most slips are in the graph
        auto opened = GraphOfDump::open(request.knowledge.graph,
                                        {*c, *pairing, *r, request.candidateLoad, request.knowledge.inputs});
        if (!opened) return opened.error();
        graph = std::move(*opened);
    }
    JudgeOptions told = request.knowledge;
    if (graph) told.declare = graph->withDeclared(told.declare);
    auto knowledge = JudgeKnowledge::open(told);
    if (!knowledge) return knowledge.error();
    const auto sources = std::make_shared<const Sources>(Sources{r, c, *masks, *fp64, request});

    Comparison work = skeleton(*r, *c, *pairing, request);
    if (auto s = checkJudged(work, request.judge); !s) return s.error();
    append(work.notes, knowledge->notes());
    CompareResult result{
        request,     request.tolerance.value_or(request.overrides.over(standardTolerance(work))),
        nullptr,     r->format(),
        c->format(), 0,
        false};
    assignTolerances(work, request.tapTolerances, result.tolerance);
    const auto snapshot = [&] {
        result.comparison = std::make_shared<const Comparison>(work);
        result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return std::make_shared<const CompareResult>(result);
    };

    // One copy for all pairs: the request may hold a map as long as the list of taps.
    auto lastShown = Clock::now();
    for (std::size_t i = 0; i < work.pairs.size(); ++i) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "the comparison was cancelled"};
        TapPair& pair = work.pairs[i];
        progress(i, work.pairs.size(), pair.name);
        const Pair ids = pairing->pairs[i];
        pair.load = [sources, ids, name = pair.name]() { return sources->load(ids, name); };
        if (auto data = pair.load()) {
            const JudgeContext context =
                knowledge->of(pair.name, pair.candidateName, data->reference.shape(), work.notes);
            comparePair(pair, *data, result.tolerance, true, Progress{nullptr, progress.token}, &context);
            auto gone = r->damage(ids.reference);
            if (!gone) gone = c->damage(ids.candidate);
            if (gone) { // zeros were compared in place of what is no longer there
                pair.summary = nullptr;
                pair.findings.clear();
                pair.runs.clear();
                pair.pairClass.reset();
                pair.ruled.reset();
                pair.peers.reset();
                pair.structural = Verdict::unreadable;
                pair.problem = std::move(gone);
            }
        } else {
            pair.structural =
                data.error().code == ErrorCode::mismatch ? Verdict::incomparable : Verdict::unreadable;
            pair.problem = data.error();
        }
        if (partial && Clock::now() - lastShown > kSnapshotEvery) {
            partial(snapshot());
            lastShown = Clock::now();
        }
    }
    judgeAcross(work, request.knowledge.roles, knowledge->op());
    // Generated text goes its own way after a flip: what follows is no error of a depth.
    if (!knowledge->op().tokenAxis)
        judgeUndamaged(work, *r, *c, *pairing, tapContext(told, knowledge->op()), progress);
    if (graph) {
        auto judged = graph->judge(session, work, knowledge->common().declared, knowledge->common(),
                                   Progress{nullptr, progress.token});
        if (!judged) return judged.error();
        if (!graph->damaged() && !damaged(work, *r, *c, *pairing)) work = **judged;
    }
    progress(work.pairs.size(), work.pairs.size());
    if (progress.cancelled()) return Error{ErrorCode::cancelled, "the comparison was cancelled"};
    const DumpPtr both[] = {r, c};
    auto metric = taskMetric(work, request.metric, Progress{nullptr, progress.token}, both);
    if (!metric) return metric.error();
    result.metric = std::move(*metric);
    result.complete = true;
    return snapshot();
}

} // namespace divdet
