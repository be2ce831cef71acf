#pragma once
#include "judge/metric/answer.h"
#include "session/compare_dumps.h"
#include "session/run_block.h"

namespace divdet {

/// The task metric of a result with what the limits of its request say of it; empty without one.
MetricAnswer metricAnswer(const CompareResult& result);
MetricAnswer metricAnswer(const LiveResult& result);

} // namespace divdet
