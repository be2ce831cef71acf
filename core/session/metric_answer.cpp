#include "session/metric_answer.h"

namespace divdet {
namespace {

MetricAnswer answerOf(const std::shared_ptr<const TaskMetric>& task, const MetricLimits& limits) {
    MetricAnswer out{task, {}, {}};
    if (task) out.limits = checkLimits(*task, limits);
    return out;
}

} // namespace

MetricAnswer metricAnswer(const CompareResult& r) {
    return answerOf(r.metric, r.request.metric.limits);
}
MetricAnswer metricAnswer(const LiveResult& r) {
    return answerOf(r.metric, r.request.metric.limits);
}

} // namespace divdet
