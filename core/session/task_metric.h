#pragma once
#include <memory>
#include <span>

#include "base/progress.h"
#include "compare/comparison.h"
#include "dump/dump.h"
#include "judge/metric/metric_request.h"
#include "judge/metric/task_metric.h"

namespace divdet {

using DumpList = std::span<const std::shared_ptr<const Dump>>;

/// The task metric of a comparison whose pairs are all there; null when it holds no logits and nobody asked.
/// Logits are the pair named in the request; else the last pair whose name ends in `logits`; else the last
/// judged pair of at least two dimensions whose leading shape is that of a targets tap. Targets are the named
/// tap; else one called targets, labels or alike whose shape fits, among the pairs or in one of `dumps`
/// alone. Errors, only of what was asked for by name or by a limit: usage when it is not there; those of
/// measureTask.
Result<std::shared_ptr<const TaskMetric>> taskMetric(const Comparison& comparison,
                                                     const MetricRequest& request,
                                                     const Progress& progress = {}, DumpList dumps = {});

} // namespace divdet
