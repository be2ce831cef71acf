#pragma once
#include "report/json_number.h"
#include "session/tolerance_report.h"

namespace divdet {

Json toJson(const ToleranceReport& report, const Comparison& comparison); ///< the document of `tolerance`

} // namespace divdet
