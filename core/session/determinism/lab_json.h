#pragma once
#include "report/json_number.h"
#include "session/determinism/lab.h"

namespace divdet {

/// `divdet determinism BLOCK --json`. `verdict`: same-bits, varies, or no-answer where nothing that could
/// differ from run to run was measured. What was not measured says why in `not_measured`; null otherwise.
Json toJson(const LabResult& result);

std::string_view verdictOf(const LabResult& result);

} // namespace divdet
