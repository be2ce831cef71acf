#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/paired_by.h"
#include "base/result.h"
#include "compare/finding.h"
#include "compare/rules/peers.h"
#include "compare/summary.h"
#include "compare/verdict.h"
#include "tensor/tensor.h"

namespace divdet {

class SignedHistogram;

struct PairData {
    Tensor reference, candidate;
    std::optional<Tensor> mask; ///< bool or u8, of the pair's shape: anything but zero compares
    std::optional<Tensor> fp64; ///< the reference in double, for the rule eager-rmse
};

/// How far a tap lies from what the declared arithmetic of its op allows on the inputs the op read, in units
/// of the hard bound (judge/local/residual.h).
struct BoundScore {
    std::int64_t elements = 0, beyond = 0; ///< beyond: a score above 1
    double largest = 0, rms = 0;
};

/// One tap on both sides. What could not be compared says why in `problem` and has no summary.
struct TapPair {
    std::string name; ///< in the reference
    std::string candidateName;
    PairedBy pairedBy = PairedBy::name;
    std::string op;        ///< kind of the op that made it; empty for dumps
    std::string transform; ///< what was done to one side so that the shapes agree; empty: nothing
    bool judged = true;    ///< decides the verdict; others are traced
    DType referenceDType = DType::f32, candidateDType = DType::f32;
    Shape referenceShape, candidateShape;
    std::shared_ptr<const Summary> summary;
    Verdict structural = Verdict::within; ///< incomparable or unreadable: why there is no summary
    std::optional<Error> problem;
    std::vector<std::string> cautions;  ///< those that do not depend on the tolerance
    std::vector<Finding> findings;      ///< named causes, strongest first; no tolerance changes them
    std::optional<PairClass> pairClass; ///< none: not judged (no summary)
    /// Further runs of the candidate against the reference; the pair is within only if each run is.
    std::vector<std::shared_ptr<const Summary>> runs;
    std::optional<double> zRms, zLargest; ///< distance from the envelope in standard deviations; live runs
    std::shared_ptr<const SignedHistogram> zHistogram; ///< of the same z; null where there is none
    std::optional<BoundScore> bound;                   ///< of live runs; none: the op was not judged
    std::optional<Tolerance> own;             ///< this pair's tolerance, whatever the others are judged at
    std::shared_ptr<const RuleOutcome> ruled; ///< answer of a rule without a frontier, at its tolerance
    std::shared_ptr<const RulePeers> peers;   ///< rules that answer differently at one tolerance
    std::function<Result<PairData>()> load;   ///< the elements again, for inspectors and recounts
};

/// The ordered list of tap pairs that a live block and two dumps both end in. Immutable once made.
struct Comparison {
    std::string referenceName, candidateName;
    std::vector<TapPair> pairs; ///< in depth order
    std::vector<std::string> onlyInReference, onlyInCandidate;
    /// A tap missing on the other side, and a paired one that is the same tensor in its own file (tied
    /// weights).
    std::vector<std::pair<std::string, std::string>> tied;
    bool missingJudged = false;     ///< one of those would have been judged: the verdict is incomplete
    std::vector<std::string> notes; ///< how pairing was done, where it was not by name
    std::vector<std::string> cautions;
    bool partial = false; ///< a file is a shard of a set that is not all there
    /// The pair where the trouble starts, in the order of execution: the first bug, else the first unclear.
    std::optional<std::size_t> firstBad;
};

/// Verdict of every pair and of all at a tolerance; from frontiers, so it costs microseconds.
struct TapVerdict {
    Verdict verdict = Verdict::within;
    bool over = false; ///< some element exceeds the tolerance (of a traced tap too)
    bool needsRescan = false;
    CountBounds mismatches; ///< low == high when exact; of no meaning where `statistic` is set
    Tolerance tolerance;    ///< the one this pair is judged at
    std::optional<RuleStatistic> statistic; ///< a rule over the whole tensor: what decided
    std::optional<Error> refused;           ///< the rule's tool does not take these types: incomparable
    std::vector<std::string> cautions;
};
struct Judgement {
    Tolerance tolerance;
    Verdict verdict = Verdict::within;
    std::vector<TapVerdict> taps; ///< parallel to Comparison::pairs
    std::int64_t within = 0, outside = 0, inconclusive = 0, incomparable = 0,
                 unreadable = 0; ///< judged pairs
    int worstTap = -1;           ///< judged pair that needs the largest tolerance; -1: none
};
Judgement judge(const Comparison& comparison, const Tolerance& tolerance);

/// The worst class of the judged pairs that have one; no tolerance changes it. Where a judged pair inherits
/// its error, traced pairs count as well: the cause lies in one of them.
std::optional<PairClass> overallClass(const Comparison& comparison);

/// Frontier questions over all judged pairs, under the rule and NaN setting of `t` (its rtol, atol are not
/// used where the question replaces them): the largest of the pairs' needs; inf when one never passes.
double neededRtolLinked(const Comparison& comparison, const Tolerance& t);
double neededRtol(const Comparison& comparison, const Tolerance& t); ///< at t.atol
double neededAtol(const Comparison& comparison, const Tolerance& t); ///< at t.rtol

} // namespace divdet
