#pragma once
#include <span>

#include "report/json_number.h"
#include "session/inspect.h"

namespace divdet {

Json toJson(std::span<const InspectedFile> files); ///< the document of `inspect`

} // namespace divdet
