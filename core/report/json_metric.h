#pragma once
#include "compare/comparison.h"
#include "judge/metric/answer.h"
#include "report/json_number.h"

namespace divdet {

/// The field `metric` of a comparison: null when there is neither a task metric nor a command. A token is
/// counted in row order over the leading dimensions; `*_error` are standard errors.
Json toJson(const MetricAnswer& answer, const Judgement& judgement);

} // namespace divdet
