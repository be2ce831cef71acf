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
#include "compare/summary.h"
#include "compare/verdict.h"
#include "tensor/tensor.h"

namespace divdet {

struct PairData {
    Tensor reference, candidate;
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
    std::vector<std::string> cautions;      ///< those that do not depend on the tolerance
    std::vector<Finding> findings;          ///< named causes, strongest first; no tolerance changes them
    std::optional<PairClass> pairClass;     ///< none: not judged (no summary)
    std::function<Result<PairData>()> load; ///< the elements again, for inspectors and recounts
};

/// The ordered list of tap pairs that a live block and two dumps both end in. Immutable once made.
struct Comparison {
    std::string referenceName, candidateName;
    std::vector<TapPair> pairs; ///< in depth order
    std::vector<std::string> onlyInReference, onlyInCandidate;
    bool missingJudged = false;     ///< one of those would have been judged: the verdict is incomplete
    std::vector<std::string> notes; ///< how pairing was done, where it was not by name
    std::vector<std::string> cautions;
    bool partial = false; ///< a file is a shard of a set that is not all there
};

/// Verdict of every pair and of all at a tolerance; from frontiers, so it costs microseconds.
struct TapVerdict {
    Verdict verdict = Verdict::within;
    bool over = false; ///< some element exceeds the tolerance (of a traced tap too)
    bool needsRescan = false;
    CountBounds mismatches; ///< low == high when exact
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

/// The worst class of the judged pairs that have one; no tolerance changes it.
std::optional<PairClass> overallClass(const Comparison& comparison);

/// Frontier questions over all judged pairs, under the rule and NaN setting of `t` (its rtol, atol are not
/// used where the question replaces them): the largest of the pairs' needs; inf when one never passes.
double neededRtolLinked(const Comparison& comparison, const Tolerance& t);
double neededRtol(const Comparison& comparison, const Tolerance& t); ///< at t.atol
double neededAtol(const Comparison& comparison, const Tolerance& t); ///< at t.rtol

} // namespace divdet
