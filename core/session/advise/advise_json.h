#pragma once
#include "report/json_number.h"
#include "session/advise/advise.h"

namespace divdet {

/// The document of `divdet advise --json`.
Json toJson(const Advice& advice);

} // namespace divdet
