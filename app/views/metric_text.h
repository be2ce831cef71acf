#pragma once
#include <QString>
#include <vector>

#include "compare/comparison.h"
#include "judge/metric/answer.h"
#include "views/notes.h"

namespace divdet {

/// The line below the verdict: "Task metric: …".
QString metricFooter(const MetricAnswer& answer);
/// All there is to say of it, a sentence a line: the tooltip of that line. Empty without a metric.
QString metricDetails(const MetricAnswer& answer, const Judgement& judgement);

/// A card where tolerance and task disagree, and one for limits that a saved comparison misses.
void addMetricNotes(std::vector<Note>& notes, const MetricAnswer& answer, const Judgement& judgement);

} // namespace divdet
