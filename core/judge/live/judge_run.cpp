#include "judge/live/judge_run.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "block/ops/support.h"
#include "compare/scan.h"
#include "judge/envelope/envelope.h"
#include "judge/find_causes.h"
#include "judge/live/arithmetic_text.h"
#include "judge/live/missing_terms.h"
#include "judge/live/wrong_tiles.h"
#include "lower/pass_info.h"

namespace divdet {
namespace {

using local::OpResidual;

Finding beyondBound(const OpResidual& r, const lower::LoweredOp& op, const Shape& shape) {
    const auto worst = unravel(r.worst, shape);
    Finding f{"beyond-bound", FindingClass::bug, "", {}};
    f.text = fmt::format("{} of {} elements cannot come from the declared arithmetic ({}) on the inputs that "
                         "this op read: at {} it "
                         "has {:.6g}, and only {:.6g} ± {:.2g} is possible",
                         r.score.beyond, r.score.elements, arithmeticText(op), toString(worst),
                         r.storedAtWorst, r.exactAtWorst, r.boundAtWorst);
    f.evidence = {{"beyond", r.score.beyond},
                  {"share", static_cast<double>(r.score.beyond) / static_cast<double>(r.score.elements)},
                  {"largest_score", r.score.largest},
                  {"first", unravel(r.firstBeyond, shape)},
                  {"worst", worst},
                  {"exact", r.exactAtWorst},
                  {"bound", r.boundAtWorst},
                  {"declared", arithmeticText(op)}};
    return f;
}

Finding noCorrectBits(const OpResidual& r, const lower::LoweredOp& op) {
    return {
        "cancellation",
        FindingClass::bug,
        fmt::format("{} of {} elements are off by more than 1 % of the tap, and the declared arithmetic ({}) "
                    "allows it: the numbers that it subtracts agree in nearly all their bits",
                    r.unpromised, r.score.elements, arithmeticText(op)),
        {{"elements", r.unpromised}, {"declared", arithmeticText(op)}}};
}

Finding suspectRounding(const OpResidual& r) {
    return {"suspect-rounding",
            FindingClass::note,
            fmt::format(
                "no element is beyond its bound, but they come nearer to it ({:.2f} of it in the mean) than "
                "honest rounding does ({:.2f})",
                r.score.rms, local::kSuspectRms),
            {{"rms_score", r.score.rms}}};
}

Finding withinBound(const OpResidual& r, const lower::LoweredOp& op) {
    return {"within-bound",
            FindingClass::drift,
            fmt::format(
                "every element is one that the declared arithmetic ({}) may give on the inputs this op read "
                "(at most {:.2g} of the bound)",
                arithmeticText(op), r.score.largest),
            {{"largest_score", r.score.largest}, {"declared", arithmeticText(op)}}};
}

Finding droppedTerms(const MissingTerms& m) {
    return {"missing-terms",
            FindingClass::bug,
            fmt::format("the outputs are the sums of the first {} of {} products: the last {} were not added",
                        m.kept, m.terms, m.terms - m.kept),
            {{"kept", m.kept}, {"terms", m.terms}}};
}

Finding inTiles(const WrongTiles& w) {
    return {
        "wrong-tiles",
        FindingClass::bug,
        fmt::format(
            "{} of {} tiles of {} × {} elements are wrong as a whole and the others are clean: what a thread "
            "block read or wrote was not ready (a race, a missing barrier)",
            w.wrong, w.of, w.tile, w.tile),
        {{"tile", w.tile}, {"wrong", w.wrong}, {"tiles", w.of}, {"first", w.first}}};
}

Finding sameBitsAs(const lower::PassChoice& choice) {
    const auto info = lower::findPass(choice.id);
    const lower::PassChoice plain{choice.id, choice.variant, {}};
    const bool bug = info->kind == lower::PassKind::bug;
    if (choice.id == "stale-buffer")
        return {"stale-match",
                FindingClass::bug,
                "exactly these values were there when the program ran on its previous inputs: the buffer was "
                "read "
                "before it was written again",
                {{"pass", choice.id}}};
    return {"same-bits-as",
            FindingClass::bug,
            fmt::format("exactly these bits come out of this op with {} ({}){}", lower::toString(plain),
                        info->title, bug ? "" : ", which is not declared"),
            {{"pass", lower::toString(plain)}}};
}

constexpr int kMostNamed = 4;

/// The pair by itself, as that of two dumps.
void judgeAlone(TapPair& pair, const JudgeContext& context, const Progress& progress) {
    if (!pair.load) return;
    const auto data = pair.load();
    if (!data) return;
    JudgeContext ofTap = context;
    if (ofTap.op.op.empty()) ofTap.op.op = pair.op;
    addCauses(
        pair,
        judgePair({data->reference.view(), data->candidate.view(), {}, *pair.summary, progress, ofTap}));
}

class RunJudge {
public:
    RunJudge(const Comparison& comparison, const local::RecordedRun& run, const block::BoundGraph& written,
             const run::Target& target, const RunProgram& whole, const JudgeContext& context,
             const Progress& progress)
        : m_out(std::make_shared<Comparison>(comparison))
        , m_run(run)
        , m_written(written)
        , m_target(target)
        , m_whole(whole)
        , m_context(context)
        , m_progress(progress) {
        for (TapPair& p : m_out->pairs) m_pairs[p.name] = &p;
    }

    Result<std::shared_ptr<const Comparison>> judged() {
        const auto& ops = m_run.declared.ops;
        for (std::size_t at = 0; at < ops.size(); ++at) {
            m_progress(at, ops.size(), ops[at].name);
            const auto r = local::residual(m_run, at, m_progress);
            if (!r) return r.error();
            if (auto s = settle(at, *r); !s) return s.error();
        }
        for (TapPair& pair : m_out->pairs) // inputs, and what no op of the program makes
            if (pair.summary && !pair.pairClass) judgeAlone(pair, m_context, m_progress);
        if (auto s = addEnvelope(); !s) return s.error();
        m_out->firstBad = firstOf(PairClass::bug);
        if (!m_out->firstBad) m_out->firstBad = firstOf(PairClass::unclear);
        return std::shared_ptr<const Comparison>(std::move(m_out));
    }

private:
    std::optional<std::size_t> firstOf(PairClass c) const {
        for (std::size_t i = 0; i < m_out->pairs.size(); ++i)
            if (m_out->pairs[i].pairClass == c) return i;
        return std::nullopt;
    }

    /// How far every tap lies from what theory expects of the whole run.
    Status addEnvelope() {
        const auto fields = envelope::envelopeOf(m_run.declared, m_run.inputs, m_run.arch, m_progress);
        if (!fields) return fields.error().code == ErrorCode::cancelled ? Status(fields.error()) : Done{};
        for (std::size_t i = 0; i < fields->size(); ++i) {
            const auto found = m_pairs.find(m_run.declared.block.graph.values[i].name);
            const run::Tap* tap = m_run.candidate.find(m_run.declared.block.graph.values[i].name);
            if (found == m_pairs.end() || !tap || !(*fields)[i].known) continue;
            const auto z = envelope::zScore((*fields)[i], tap->tensor);
            if (z.elements == 0) continue;
            found->second->zRms = z.rms;
            found->second->zLargest = z.largest;
            found->second->zHistogram = std::make_shared<SignedHistogram>(z.histogram);
        }
        return Done{};
    }

    bool spoilt(const lower::LoweredOp& op) const {
        return std::any_of(op.inputs.begin(), op.inputs.end(),
                           [&](auto in) { return m_spoilt.contains(in); });
    }

    Status settle(std::size_t at, const OpResidual& r) {
        const lower::LoweredOp& op = m_run.declared.ops[at];
        const bool inherits = spoilt(op);
        const bool bug = r.score.beyond > 0 || r.unpromised > 0;
        if (inherits || bug) m_spoilt.insert(op.output);
        const auto found = m_pairs.find(r.op);
        if (found == m_pairs.end() || !found->second->summary) return Done{};
        TapPair& pair = *found->second;
        if (!r.unjudged.empty()) {
            judgeAlone(pair, m_context, m_progress);
            pair.findings.push_back(
                {"not-judged", FindingClass::note, "the op was not judged: " + r.unjudged, {}});
            return Done{};
        }
        pair.bound = r.score;
        if (bug) return fault(pair, at, r);
        clean(pair, op, r, inherits);
        return Done{};
    }

    void clean(TapPair& pair, const lower::LoweredOp& op, const OpResidual& r, bool inherits) const {
        if (pair.judged) judgeAlone(pair, m_context, m_progress);
        std::erase_if(pair.findings, [](const Finding& f) {
            return f.kind == FindingClass::bug || f.kind == FindingClass::unclear;
        });
        if (pair.summary->bitIdentical) {
            pair.pairClass = PairClass::identical;
            return;
        }
        if (inherits) {
            pair.pairClass = PairClass::inherited;
        } else if (r.score.rms > local::kSuspectRms) {
            pair.pairClass = PairClass::unclear;
            pair.findings.insert(pair.findings.begin(), suspectRounding(r));
        } else {
            pair.pairClass = PairClass::drift;
            pair.findings.insert(pair.findings.begin(), withinBound(r, op));
        }
    }

    /// The causes are looked for against the exact op on the same inputs, where nothing inherited hides them.
    Status fault(TapPair& pair, std::size_t at, const OpResidual& r) {
        const lower::LoweredOp& op = m_run.declared.ops[at];
        pair.pairClass = PairClass::bug;
        pair.findings.clear();
        if (r.score.beyond == 0) {
            pair.findings.push_back(noCorrectBits(r, op));
            return Done{};
        }
        pair.findings.push_back(beyondBound(r, op, pair.candidateShape));
        // The first faulty ops are what the user looks at; those behind them mostly repeat the cause.
        if (m_named < kMostNamed) {
            const auto same = passWithTheseBits(m_run, m_written, at, m_target,
                                                m_named == 0 ? m_whole : RunProgram(), m_progress);
            if (!same) return same.error();
            if (*same) pair.findings.push_back(sameBitsAs(**same));
            ++m_named;
        }
        if (const auto missing = missingTerms(m_run, at)) pair.findings.push_back(droppedTerms(*missing));
        return addLocalCauses(pair, at);
    }

    Status addLocalCauses(TapPair& pair, std::size_t at) {
        const auto read = local::inputsRead(m_run, at);
        const run::Tap* tap = m_run.candidate.find(pair.name);
        if (!read || !tap) return Done{};
        const auto allowed =
            local::allowedBy(m_run.declared.ops[at], *read, m_run.arch, m_run.order, m_progress);
        if (!allowed) return allowed.error().code == ErrorCode::cancelled ? Status(allowed.error()) : Done{};
        const Tensor exact = block::ops::tensorOfDoubles(tap->tensor.shape(), allowed->exact);
        const auto stored = block::ops::doubles(tap->tensor);
        std::vector<bool> faulty(stored.size());
        for (std::size_t i = 0; i < stored.size(); ++i)
            faulty[i] = local::score(stored[i], m_run.declared.ops[at].slots.storage, allowed->exact[i],
                                     allowed->bound[i]) > 1;
        if (const auto tiles = wrongTiles(faulty, tap->tensor.shape()))
            pair.findings.push_back(inTiles(*tiles));
        const auto summary = scan(exact.view(), tap->tensor.view(), {}, m_progress);
        if (!summary) return summary.error().code == ErrorCode::cancelled ? Status(summary.error()) : Done{};
        for (Finding& f : findCauses({exact.view(), tap->tensor.view(), {}, *summary, m_progress}))
            if (f.kind == FindingClass::bug) pair.findings.push_back(std::move(f));
        return Done{};
    }

    std::shared_ptr<Comparison> m_out;
    const local::RecordedRun& m_run;
    const block::BoundGraph& m_written;
    const run::Target& m_target;
    const RunProgram& m_whole;
    const JudgeContext& m_context;
    const Progress& m_progress;
    std::map<std::string, TapPair*> m_pairs;
    int m_named = 0;                      ///< faulty ops for which a pass with the same bits was looked for
    std::set<block::ValueIndex> m_spoilt; ///< outputs of a faulty op, and all that is computed from them
};

} // namespace

Result<std::shared_ptr<const Comparison>> judgeRun(const Comparison& comparison,
                                                   const local::RecordedRun& run,
                                                   const block::BoundGraph& written,
                                                   const run::Target& target, const RunProgram& whole,
                                                   const JudgeContext& context, const Progress& progress) {
    return RunJudge(comparison, run, written, target, whole, context, progress).judged();
}

std::shared_ptr<const Comparison> judgePairsAlone(const Comparison& comparison, const JudgeContext& context,
                                                  const Progress& progress) {
    auto out = std::make_shared<Comparison>(comparison);
    for (TapPair& pair : out->pairs)
        if (pair.summary) judgeAlone(pair, context, progress);
    return out;
}

} // namespace divdet
