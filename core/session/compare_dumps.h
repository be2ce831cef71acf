#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "compare/comparison.h"
#include "dump/open.h"
#include "dump/pairing.h"
#include "judge/metric/metric_request.h"
#include "session/judge_options.h"
#include "session/judge_selection.h"
#include "session/session.h"
#include "session/shape_options.h"
#include "session/tap_tolerance.h"

namespace divdet {

struct TaskMetric;

struct CompareRequest {
    std::filesystem::path reference, candidate;
    PairingOptions pairing;
    OpenOptions referenceOpen, candidateOpen;
    ShapeOptions shapes;
    bool ignoreMissing = false; ///< taps on one side only do not make the verdict incomplete
    LoadOptions referenceLoad, candidateLoad;
    JudgeSelection judge;
    std::optional<Tolerance>
        tolerance; ///< none: the default preset of the first judged pair, with `overrides`
    ToleranceOverrides overrides;
    std::vector<TapTolerance> tapTolerances; ///< the first that matches a pair's name is its own tolerance
    std::filesystem::path tolerancesFile;    ///< where they came from, for commandLine()
    /// Bool or u8: one tensor for every pair, or tensors by tap name; pairs without one are compared whole.
    std::filesystem::path mask;
    std::filesystem::path fp64; ///< the reference in double by tap name, for the rule eager-rmse
    MetricRequest metric;
    JudgeOptions knowledge; ///< what the judge of causes is told
};

struct CompareResult {
    CompareRequest request;
    Tolerance tolerance; ///< the one used for exact counts
    std::shared_ptr<const Comparison> comparison;
    std::string referenceFormat, candidateFormat;
    double seconds = 0;
    bool complete = false;
    std::shared_ptr<const TaskMetric> metric; ///< null: no logits, or not complete
};

/// Opens both files, pairs and compares. `partial` (may be empty) gets snapshots, at most some ten a second,
/// whose later pairs have neither summary nor problem yet.
Result<std::shared_ptr<const CompareResult>>
compareDumps(Session& session, const CompareRequest& request, const Progress& progress = {},
             const std::function<void(std::shared_ptr<const CompareResult>)>& partial = {});

/// The `divdet compare …` command that makes the same comparison.
std::string commandLine(const CompareRequest& request, const Tolerance& tolerance);

} // namespace divdet
