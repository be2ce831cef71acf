#include "session/compare_dumps.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "dump/text_encoding.h"
#include "session/open_sides.h"
#include "session/tap_pairs.h"

namespace divdet {
namespace {

using Clock = std::chrono::steady_clock;
using DumpPtr = std::shared_ptr<const Dump>;

constexpr auto kSnapshotEvery = std::chrono::milliseconds(100);

Result<PairData> loadPair(const Dump& reference, std::size_t r, const LoadOptions& referenceLoad,
                          const Dump& candidate, std::size_t c, const LoadOptions& candidateLoad,
                          const ShapeOptions& shapes) {
    auto a = reference.load(r, referenceLoad);
    if (!a) return a.error();
    auto b = candidate.load(c, candidateLoad);
    if (!b) return b.error();
    return fitted(std::move(*a), std::move(*b), shapes);
}

std::vector<std::string> cautionsOf(const Dump& dump, std::string_view tap) {
    std::vector<std::string> out;
    for (const auto& c : dump.manifest().cautions)
        if (c.tap == tap && std::find(out.begin(), out.end(), c.id) == out.end()) out.push_back(c.id);
    return out;
}

void append(std::vector<std::string>& to, std::vector<std::string> from) {
    for (auto& x : from)
        if (std::find(to.begin(), to.end(), x) == to.end()) to.push_back(std::move(x));
}

/// Every pair with its names and shapes, nothing compared yet.
Comparison skeleton(const Dump& reference, const Dump& candidate, const Pairing& pairing,
                    const CompareRequest& request) {
    Comparison out;
    out.referenceName = request.reference.string();
    out.candidateName = request.candidate.string();
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
        append(pair.cautions, cautionsOf(reference, r.name));
        append(pair.cautions, cautionsOf(candidate, c.name));
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
    if (request.ignoreMissing) out.missingJudged = false;
    out.partial = (reference.isShard() || candidate.isShard()) && !request.ignoreMissing;
    append(out.notes, pairing.notes);
    append(out.notes, splitSuggestions(reference, candidate, pairing));
    append(out.cautions, cautionsOf(reference, ""));
    append(out.cautions, cautionsOf(candidate, ""));
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

Tolerance standardTolerance(const Comparison& c) {
    for (const auto& p : c.pairs) {
        if (!p.judged) continue;
        const auto& preset = defaultPreset(p.referenceDType, p.candidateDType);
        return {preset.rule, preset.rtol, preset.atol, false};
    }
    return {};
}

} // namespace

Result<std::shared_ptr<const CompareResult>>
compareDumps(Session&, const CompareRequest& request, const Progress& progress,
             const std::function<void(std::shared_ptr<const CompareResult>)>& partial) {
    const auto start = Clock::now();
    auto sides = openSides(request);
    if (!sides) return sides.error();
    const DumpPtr r = sides->reference, c = sides->candidate;
    auto pairing = pairTaps(*r, *c, sides->pairing);
    if (!pairing) return pairing.error();

    Comparison work = skeleton(*r, *c, *pairing, request);
    if (auto s = checkJudged(work, request.judge); !s) return s.error();
    CompareResult result{
        request,     request.tolerance.value_or(request.overrides.over(standardTolerance(work))),
        nullptr,     r->format(),
        c->format(), 0,
        false};
    const auto snapshot = [&] {
        result.comparison = std::make_shared<const Comparison>(work);
        result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return std::make_shared<const CompareResult>(result);
    };

    auto lastShown = Clock::now();
    for (std::size_t i = 0; i < work.pairs.size(); ++i) {
        if (progress.cancelled()) return Error{ErrorCode::cancelled, "the comparison was cancelled"};
        TapPair& pair = work.pairs[i];
        progress(i, work.pairs.size(), pair.name);
        const Pair ids = pairing->pairs[i];
        pair.load = [r, c, ids, request]() {
            return loadPair(*r, ids.reference, request.referenceLoad, *c, ids.candidate,
                            request.candidateLoad, request.shapes);
        };
        if (auto data = pair.load()) {
            comparePair(pair, data->reference, data->candidate, result.tolerance, true,
                        Progress{nullptr, progress.token});
        } else {
            pair.structural = Verdict::unreadable;
            pair.problem = data.error();
        }
        if (partial && Clock::now() - lastShown > kSnapshotEvery) {
            partial(snapshot());
            lastShown = Clock::now();
        }
    }
    progress(work.pairs.size(), work.pairs.size());
    if (progress.cancelled()) return Error{ErrorCode::cancelled, "the comparison was cancelled"};
    result.complete = true;
    return snapshot();
}

} // namespace divdet
