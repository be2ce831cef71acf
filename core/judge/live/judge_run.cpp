#include "judge/live/judge_run.h"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "block/ops/support.h"
#include "compare/scan.h"
#include "judge/envelope/envelope.h"
#include "judge/find_causes.h"
#include "judge/live/like_terms.h"
#include "judge/live/missing_terms.h"
#include "judge/live/op_findings.h"
#include "judge/live/wrong_tiles.h"
#include "judge/local/allowed_at.h"
#include "lower/pass_info.h"

namespace divdet {
namespace {

using local::OpResidual;

constexpr int kMostNamed = 4;

/// The pair by itself, as that of two dumps; once.
void judgeAlone(TapPair& pair, const JudgeContext& context, const Progress& progress) {
    if (!pair.load || pair.pairClass) return;
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
    RunJudge(const Comparison& comparison, const RecordedTaps& taps, const RunProgram& whole,
             const JudgeContext& context, const Progress& progress)
        : m_out(std::make_shared<Comparison>(comparison))
        , m_taps(taps)
        , m_whole(whole)
        , m_context(context)
        , m_progress(progress) {
        for (const auto& [name, at] : taps.pairs) m_pairs[name] = &m_out->pairs[at];
    }

    Result<std::shared_ptr<const Comparison>> judged() {
        const auto& ops = first().declared.ops;
        for (std::size_t at = 0; at < ops.size(); ++at) {
            m_progress(at, ops.size(), ops[at].name);
            const auto r = underAll(at);
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
    /// An op under the declared arithmetic that explains it best.
    struct Settled {
        std::size_t run = 0;              ///< in RecordedTaps::runs
        OpResidual residual;              ///< by hard bounds
        std::optional<OpResidual> likely; ///< elements within those, and beyond the probabilistic ones
    };

    const local::RecordedRun& first() const { return m_taps.runs.front(); }

    /// In the order of the ops, then in that of the pairs.
    std::optional<std::size_t> firstOf(PairClass c) const {
        for (const lower::LoweredOp& op : first().declared.ops) {
            const auto found = m_taps.pairs.find(first().declared.block.graph.values[op.output].name);
            if (found != m_taps.pairs.end() && m_out->pairs[found->second].pairClass == c)
                return found->second;
        }
        for (std::size_t i = 0; i < m_out->pairs.size(); ++i)
            if (m_out->pairs[i].pairClass == c) return i;
        return std::nullopt;
    }

    static bool isFaulty(const OpResidual& r) { return r.score.beyond > 0 || r.unpromised > 0; }

    Result<Settled> underAll(std::size_t at) const {
        Settled best;
        std::optional<Settled> open; // an arithmetic that is declared leaves the result open
        bool any = false;
        for (std::size_t i = 0; i < m_taps.runs.size(); ++i) {
            auto r = local::residual(m_taps.runs[i], at, m_progress);
            if (!r) return r.error();
            const bool judged = r->unjudged.empty(), bestJudged = any && best.residual.unjudged.empty();
            const auto& a = r->score;
            const auto& b = best.residual.score;
            const bool better =
                !any ||
                (judged && (!bestJudged || a.beyond < b.beyond || (a.beyond == b.beyond && a.rms < b.rms)));
            const bool honest = judged && !isFaulty(*r) && a.rms <= local::kSuspectRms;
            if (!judged) open = Settled{i, *r, {}};
            if (better) best.run = i, best.residual = std::move(*r);
            any = true;
            if (honest) return best;
        }
        if (open) return *open;
        const local::RecordedRun& run = m_taps.runs[best.run];
        if (run.order != local::Order::likely || best.residual.score.beyond == 0) return best;
        auto hard = local::residual({run.declared, run.inputs, run.candidate, run.arch, local::Order::any},
                                    at, m_progress);
        if (!hard) return hard.error();
        if (hard->score.beyond == 0) best.likely = std::move(best.residual);
        best.residual = std::move(*hard);
        return best;
    }

    /// How far every tap lies from what theory expects of the whole run.
    Status addEnvelope() {
        const local::RecordedRun& run = first();
        const auto fields = envelope::envelopeOf(run.declared, run.inputs, run.arch, m_progress);
        if (!fields) return fields.error().code == ErrorCode::cancelled ? Status(fields.error()) : Done{};
        for (std::size_t i = 0; i < fields->size(); ++i) {
            const auto found = m_pairs.find(run.declared.block.graph.values[i].name);
            const run::Tap* tap = run.candidate.find(run.declared.block.graph.values[i].name);
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

    Status settle(std::size_t at, const Settled& s) {
        const OpResidual& r = s.residual;
        const lower::LoweredOp& op = m_taps.runs[s.run].declared.ops[at];
        const bool inherits = spoilt(op);
        const bool bug = isFaulty(r) && !scalesUnknown(at);
        if (inherits || bug) m_spoilt.insert(op.output);
        const auto found = m_pairs.find(r.op);
        if (found == m_pairs.end() || !found->second->summary) {
            if (isFaulty(r))
                m_out->notes.push_back(fmt::format(
                    "{} is not compared, but {}: {}", r.op,
                    bug ? "wrong" : "may be wrong (its scales are not known)",
                    (r.score.beyond > 0 ? beyondBound(r, op, shapeOf(op)) : noCorrectBits(r, op)).text));
            return Done{};
        }
        TapPair& pair = *found->second;
        if (!r.unjudged.empty()) {
            notJudged(pair, op, r, inherits);
            return Done{};
        }
        pair.bound = r.score;
        if (isFaulty(r)) return fault(pair, at, s);
        if (s.likely)
            unlikely(pair, op, s, inherits);
        else
            clean(pair, op, r, inherits);
        return Done{};
    }

    const Shape& shapeOf(const lower::LoweredOp& op) const {
        return first().declared.block.shapes[op.output];
    }

    bool scalesUnknown(std::size_t at) const {
        return m_taps.unknownScales &&
               std::any_of(m_taps.runs.begin(), m_taps.runs.end(), [&](const local::RecordedRun& run) {
                   return run.declared.ops[at].slots.operand == lower::Operand::int8;
               });
    }

    /// The pair's own answer stands, unless it only followed from taps that are clean after all.
    void notJudged(TapPair& pair, const lower::LoweredOp& op, const OpResidual& r, bool inherits) {
        judgeAlone(pair, m_context, m_progress);
        pair.findings.push_back(
            {"not-judged", FindingClass::note, "the op was not judged: " + r.unjudged, {}});
        if (pair.pairClass == PairClass::bug) m_spoilt.insert(op.output);
        if (pair.pairClass == PairClass::inherited && !inherits && m_spoilt.empty() && !m_unclear)
            pair.pairClass = PairClass::drift;
        m_unclear = m_unclear || pair.pairClass == PairClass::unclear;
    }

    /// Errors with one sign along the whole tap, and sums of terms that are alike, come from data that make
    /// every rounding go the same way.
    void unlikely(TapPair& pair, const lower::LoweredOp& op, const Settled& s, bool inherits) {
        constexpr double kNearlyAll = 0.9;
        constexpr double kTellsSigns = 8; // of fewer, one sign is no wonder
        constexpr std::size_t kLooked = 16;
        const local::RecordedRun& run = m_taps.runs[s.run];
        const auto tap = first().candidate.find(s.residual.op);
        const auto found = local::allowedAt(run, opNumber(op), m_progress);
        double one = 0, all = 0;
        std::vector<std::int64_t> beyond;
        if (tap && found) {
            const auto c = block::ops::doubles(tap->tensor);
            for (std::size_t i = 0; i < c.size(); ++i) {
                const double x = found->allowed.exact[i], error = (c[i] - x) * (x < 0 ? -1 : 1);
                if (local::score(c[i], op.slots.storage, x, found->allowed.bound[i]) <= 1) continue;
                ++all, one += error > 0;
                if (beyond.size() < kLooked) beyond.push_back(static_cast<std::int64_t>(i));
            }
        }
        const bool oneSign = all >= kTellsSigns && std::max(one, all - one) > kNearlyAll * all;
        const bool repeats = oneSign || termsAreAlike(run, opNumber(op), beyond);
        clean(pair, op, s.residual, inherits);
        if (!repeats) m_spoilt.insert(op.output);
        std::erase_if(pair.findings, [](const Finding& f) { return f.id == "within-bound"; });
        pair.findings.insert(pair.findings.begin(),
                             beyondLikely(*s.likely, op, pair.candidateShape, repeats));
        pair.pairClass = repeats ? PairClass::unclear : PairClass::bug;
        m_unclear = m_unclear || repeats;
    }

    std::size_t opNumber(const lower::LoweredOp& op) const {
        const auto& ops = first().declared.ops;
        for (std::size_t i = 0; i < ops.size(); ++i)
            if (ops[i].output == op.output) return i;
        return ops.size();
    }

    void clean(TapPair& pair, const lower::LoweredOp& op, const OpResidual& r, bool inherits) {
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
            m_unclear = true;
            pair.findings.insert(pair.findings.begin(), suspectRounding(r));
        } else {
            pair.pairClass = PairClass::drift;
            pair.findings.insert(pair.findings.begin(), withinBound(r, op));
        }
    }

    /// The causes are looked for against the exact op on the same inputs, where nothing inherited hides them.
    Status fault(TapPair& pair, std::size_t at, const Settled& settled) {
        const OpResidual& r = settled.residual;
        const local::RecordedRun& run = m_taps.runs[settled.run];
        const lower::LoweredOp& op = run.declared.ops[at];
        pair.pairClass = PairClass::bug;
        pair.findings.clear();
        if (r.score.beyond == 0) {
            pair.findings.push_back(noCorrectBits(r, op));
            return Done{};
        }
        pair.findings.push_back(beyondBound(r, op, pair.candidateShape));
        if (scalesUnknown(at)) {
            pair.pairClass = PairClass::unclear;
            m_unclear = true;
            pair.findings.back().kind = FindingClass::unclear;
            pair.findings.back().text += ". Scales of a calibration are not recorded, and other scales give "
                                         "other numbers: declare int8 "
                                         "alone where they are taken from each tensor's maximum";
            return Done{};
        }
        // The first faulty ops are what the user looks at; those behind them mostly repeat the cause.
        if (m_taps.target && r.together.empty() && m_named < kMostNamed) {
            const auto same = passWithTheseBits(run, *m_taps.written, at, *m_taps.target,
                                                m_named == 0 ? m_whole : RunProgram(), m_progress);
            if (!same) return same.error();
            if (*same) pair.findings.push_back(sameBitsAs(**same));
            ++m_named;
        }
        if (const auto missing = missingTerms(run, at)) pair.findings.push_back(droppedTerms(*missing));
        return addLocalCauses(pair, at, run);
    }

    Status addLocalCauses(TapPair& pair, std::size_t at, const local::RecordedRun& run) {
        const lower::LoweredOp& op = run.declared.ops[at];
        const run::Tap* tap = run.candidate.find(run.declared.block.graph.values[op.output].name);
        if (!tap) return Done{};
        const auto found = local::allowedAt(run, at, m_progress);
        if (!found) return found.error().code == ErrorCode::cancelled ? Status(found.error()) : Done{};
        const local::Allowed& allowed = found->allowed;
        const Tensor exact = block::ops::tensorOfDoubles(tap->tensor.shape(), allowed.exact);
        const auto stored = block::ops::doubles(tap->tensor);
        std::vector<bool> faulty(stored.size());
        for (std::size_t i = 0; i < stored.size(); ++i)
            faulty[i] = local::score(stored[i], op.slots.storage, allowed.exact[i], allowed.bound[i]) > 1;
        if (const auto tiles = wrongTiles(faulty, tap->tensor.shape()))
            pair.findings.push_back(inTiles(*tiles));
        const auto summary = scan(exact.view(), tap->tensor.view(), {}, m_progress);
        if (!summary) return summary.error().code == ErrorCode::cancelled ? Status(summary.error()) : Done{};
        for (Finding& f : findCauses({exact.view(), tap->tensor.view(), {}, *summary, m_progress}))
            if (f.kind == FindingClass::bug) pair.findings.push_back(std::move(f));
        return Done{};
    }

    std::shared_ptr<Comparison> m_out;
    const RecordedTaps& m_taps;
    const RunProgram& m_whole;
    const JudgeContext& m_context;
    const Progress& m_progress;
    std::map<std::string, TapPair*> m_pairs;
    int m_named = 0;                      ///< faulty ops for which a pass with the same bits was looked for
    bool m_unclear = false;               ///< some op or tap is
    std::set<block::ValueIndex> m_spoilt; ///< outputs of a faulty op, and all that is computed from them
};

} // namespace

Result<std::shared_ptr<const Comparison>> judgeRun(const Comparison& comparison,
                                                   const local::RecordedRun& run,
                                                   const block::BoundGraph& written,
                                                   const run::Target& target, const RunProgram& whole,
                                                   const JudgeContext& context, const Progress& progress) {
    RecordedTaps taps{{run}, {}, false, &target, &written};
    for (std::size_t i = 0; i < comparison.pairs.size(); ++i) taps.pairs[comparison.pairs[i].name] = i;
    return RunJudge(comparison, taps, whole, context, progress).judged();
}

Result<std::shared_ptr<const Comparison>> judgeRecorded(const Comparison& comparison,
                                                        const RecordedTaps& recorded,
                                                        const JudgeContext& context,
                                                        const Progress& progress) {
    return RunJudge(comparison, recorded, {}, context, progress).judged();
}

std::shared_ptr<const Comparison> judgePairsAlone(const Comparison& comparison, const JudgeContext& context,
                                                  const Progress& progress) {
    auto out = std::make_shared<Comparison>(comparison);
    for (TapPair& pair : out->pairs)
        if (pair.summary) judgeAlone(pair, context, progress);
    return out;
}

} // namespace divdet
